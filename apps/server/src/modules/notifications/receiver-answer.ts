import type { EgressResponse } from '@airdeck/connector-kit/egress';

/** What the texts of Slack's refusals mean to the owner of the address. */
const refusals: Readonly<Record<string, string>> = {
  invalid_token: 'The address is not valid any more. Make a new one in Slack.',
  no_service: 'The address was removed or its app switched off in Slack. Make a new one.',
  no_active_hooks: 'The address was switched off in Slack. Make a new one.',
  no_team: 'The workspace of the address is gone.',
  team_disabled: 'The workspace of the address is switched off.',
  channel_not_found: 'The channel of the address is gone.',
  channel_is_archived: 'The channel of the address is archived.',
  action_prohibited: 'An administrator of the workspace forbids it.',
  posting_to_general_channel_denied: 'An administrator of the workspace forbids messages to this channel.',
  invalid_payload: 'The address does not take messages of Slack.',
  no_text: 'The address does not take messages of Slack.',
};

/** The receiver's trouble of the moment, not its refusal. */
export function isPassing({ status }: Pick<EgressResponse, 'status'>): boolean {
  return status >= 500 || status === 408 || status === 429;
}

export function isTaken({ status }: Pick<EgressResponse, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Only known words of an answer are repeated: an address may lead to what nobody should read from here. */
export function refusalText({ status, text }: Pick<EgressResponse, 'status' | 'text'>): string {
  const known = refusals[text.trim()];
  if (known !== undefined) return known;
  if (status === 404 || status === 410) return `There is nothing at the address any more (HTTP ${status}).`;
  if (status === 429) return 'The receiver asks to send less (HTTP 429). Try again in a minute.';
  if (status >= 500) return `The receiver has trouble of its own (HTTP ${status}). Try again later.`;
  return `The receiver refused it with HTTP ${status}.`;
}
