import { kindWord } from './audit-words.ts';

/**
 * What the server records, by noun, for choosing from. It is a help, not a limit: what this release does not know can be
 * typed, and what the list shows is offered with the rest.
 */
const verbs: Readonly<Record<string, readonly string[]>> = {
  action: ['run'],
  api_key: ['create', 'revoke'],
  audit: ['export'],
  automation: ['disable', 'enable'],
  automation_rule: ['create', 'delete', 'repair', 'update'],
  billing: ['set'],
  case: ['update'],
  connector: ['create', 'delete', 'pause', 'resume', 'update'],
  contact: ['create', 'delete', 'update'],
  contract: ['add_file', 'delete_file', 'set'],
  customer: ['create', 'update'],
  data_key: ['renew'],
  external_account: ['link', 'unlink'],
  integration: ['delete', 'import', 'update'],
  invitation: ['accept', 'change', 'revoke', 'send'],
  marketplace: ['activate', 'change_plan', 'change_quantity', 'open', 'reinstate', 'renew', 'suspend', 'unsubscribe'],
  membership: ['remove', 'set'],
  notification: ['read'],
  onboarding: ['delete', 'save'],
  own_networks: ['update'],
  passkey: ['add', 'remove'],
  password: ['change', 'reset', 'reset_request'],
  playbook: ['create'],
  policy: ['create', 'update'],
  prompt: ['answer', 'approve'],
  provider_role: ['remove', 'set'],
  reachability: ['check'],
  recovery_codes: ['regenerate'],
  route: ['call'],
  rule_response: ['create'],
  run: ['cancel', 'finish', 'start'],
  saved_search: ['create', 'delete', 'update'],
  search_report: ['cancel', 'create', 'delete', 'download'],
  search_report_schedule: ['create', 'delete', 'update'],
  session: ['prove', 'reuse_detected', 'revoke', 'sign_in', 'sign_out'],
  settings: ['update'],
  slack_address: ['remove', 'set'],
  source: ['create'],
  sso_connection: ['create', 'delete', 'update'],
  sso_domain: ['check', 'lapse', 'miss', 'prove', 'return'],
  tenant: ['create', 'update'],
  totp: ['enrol'],
  user: ['create', 'delete', 'remove', 'require_password_reset', 'set_role', 'set_status', 'update'],
  webhook_secret: ['create'],
};

const known = Object.entries(verbs).flatMap(([noun, of]) => of.map((verb) => `${noun}.${verb}`));

type ActionGroup = { group: string; items: string[] };

/** Actions by noun, each noun beginning with all of its own (`user.`); `seen` are those of records that were loaded. */
export function actionChoices(seen: Iterable<string>): ActionGroup[] {
  const nouns = new Map<string, string[]>();
  for (const action of [...new Set([...known, ...seen])].toSorted()) {
    const noun = nounOf(action);
    nouns.set(noun, [...(nouns.get(noun) ?? []), action]);
  }
  return [...nouns].map(([noun, items]) => ({ group: kindWord(noun), items: [`${noun}.`, ...items] }));
}

/** Whether a choice stands for every action of its noun. */
export function isWholeNoun(choice: string): boolean {
  return choice.endsWith('.');
}

function nounOf(action: string): string {
  return action.split('.', 1)[0] ?? action;
}
