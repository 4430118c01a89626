import type { EgressResponse } from '@airdeck/connector-kit/egress';
import type { Told } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';

/** What the texts of Slack's refusals mean to the owner of the address. */
const refusals: Readonly<Record<string, Told>> = {
  invalid_token: refusal('SLACK_ADDRESS_INVALID'),
  no_service: refusal('SLACK_APP_OFF'),
  no_active_hooks: refusal('SLACK_ADDRESS_OFF'),
  no_team: refusal('SLACK_WORKSPACE_GONE'),
  team_disabled: refusal('SLACK_WORKSPACE_OFF'),
  channel_not_found: refusal('SLACK_CHANNEL_GONE'),
  channel_is_archived: refusal('SLACK_CHANNEL_ARCHIVED'),
  action_prohibited: refusal('SLACK_FORBIDDEN'),
  posting_to_general_channel_denied: refusal('SLACK_CHANNEL_FORBIDDEN'),
  invalid_payload: refusal('SLACK_ADDRESS_OTHER'),
  no_text: refusal('SLACK_ADDRESS_OTHER'),
};

/** The receiver's trouble of the moment, not its refusal. */
export function isPassing({ status }: Pick<EgressResponse, 'status'>): boolean {
  return status >= 500 || status === 408 || status === 429;
}

export function isTaken({ status }: Pick<EgressResponse, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** Only known words of an answer are repeated: an address may lead to what nobody should read from here. */
export function refusalOf({ status, text }: Pick<EgressResponse, 'status' | 'text'>): Told {
  const known = refusals[text.trim()];
  if (known !== undefined) return known;
  if (status === 404 || status === 410) return refusal('RECEIVER_GONE', { status });
  if (status === 429) return refusal('RECEIVER_TOO_MANY');
  if (status >= 500) return refusal('RECEIVER_TROUBLE', { status });
  return refusal('RECEIVER_REFUSED', { status });
}
