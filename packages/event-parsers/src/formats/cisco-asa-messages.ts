/** What the text of a message may hold besides the two addresses. */
type AsaContent = 'protocol' | 'user' | 'ip' | 'verdict';

export type AsaMessage = {
  readonly event_type: string;
  readonly action: string;
  readonly outcome: string;
  /** The words in front of source and destination; `<word` is the word behind it. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly has: readonly AsaContent[];
};

function message(
  kind: readonly [event_type: string, action: string, outcome: string],
  ends: readonly [from?: string, to?: string],
  ...has: AsaContent[]
): AsaMessage {
  const [event_type, action, outcome] = kind;
  return { event_type, action, outcome, from: ends[0], to: ends[1], has };
}

const denied = ['traffic', 'deny', 'failure'] as const;
const built = ['traffic', 'built', 'success'] as const;
const ended = ['traffic', 'teardown', 'success'] as const;
const translated = ['translation', 'built', 'success'] as const;
const untranslated = ['translation', 'teardown', 'success'] as const;
const vpn = ['vpn', '', ''] as const;

/** By message number, as the vendor's system log guide counts them. */
const messages: Readonly<Record<string, AsaMessage>> = {
  '106001': message(['traffic', 'denied', 'failure'], ['from', 'to'], 'protocol'),
  '106002': message(denied, ['src', 'dest'], 'protocol'),
  '106006': message(denied, ['from', 'to'], 'protocol'),
  '106007': message(denied, ['from', 'to'], 'protocol'),
  '106010': message(denied, ['src', 'dst']),
  '106012': message(denied, ['from', 'to']),
  '106014': message(denied, ['src', 'dst'], 'protocol'),
  '106015': message(denied, ['from', 'to'], 'protocol'),
  '106016': message(denied, ['from', 'to'], 'ip'),
  '106017': message(denied, ['from', 'to']),
  '106018': message(denied, ['laddr', 'faddr'], 'protocol'),
  '106020': message(denied, ['from', 'to']),
  '106021': message(denied, ['from', 'to'], 'protocol'),
  '106022': message(denied, ['from', 'to'], 'protocol'),
  '106023': message(denied, ['src', 'dst'], 'protocol'),
  '106100': message(['traffic', '', ''], ['<->', '->'], 'protocol', 'verdict'),
  '106102': message(['traffic', '', ''], ['<->', '->'], 'protocol', 'verdict'),
  '108003': message(['threat', 'terminate', 'failure'], ['from', 'to']),
  '109001': message(['authentication', 'start', ''], ['from', 'to'], 'user'),
  '109005': message(['authentication', 'login', 'success'], ['from', 'to'], 'user'),
  '109006': message(['authentication', 'login', 'failure'], ['from', 'to'], 'user'),
  '109007': message(['authentication', 'authorize', 'success'], ['from', 'to'], 'user'),
  '109008': message(['authentication', 'authorize', 'failure'], ['from', 'to'], 'user'),
  '110002': message(['traffic', 'no_route', 'failure'], ['from', 'to'], 'protocol'),
  '110003': message(['traffic', 'no_route', 'failure'], ['from', 'to'], 'protocol'),
  '111008': message(['configuration', 'execute', 'success'], [], 'user'),
  '111009': message(['configuration', 'execute', 'success'], [], 'user'),
  '111010': message(['configuration', 'execute', 'success'], [], 'user', 'ip'),
  '113003': message(['authentication', 'set_group', ''], [], 'user'),
  '113004': message(['authentication', 'login', 'success'], [], 'user', 'ip'),
  '113005': message(['authentication', 'login', 'failure'], [], 'user', 'ip'),
  '113006': message(['authentication', 'lock_account', 'success'], [], 'user'),
  '113007': message(['authentication', 'unlock_account', 'success'], [], 'user'),
  '113008': message(['authentication', 'login', 'success'], [], 'user'),
  '113009': message(['authentication', 'set_group', ''], [], 'user'),
  '113010': message(['authentication', 'challenge', ''], [], 'user'),
  '113011': message(['authentication', 'set_group', ''], [], 'user'),
  '113012': message(['authentication', 'login', 'success'], [], 'user'),
  '113013': message(['authentication', 'login', 'failure'], [], 'user'),
  '113014': message(['authentication', 'server_unreachable', 'failure'], [], 'user'),
  '113015': message(['authentication', 'login', 'failure'], [], 'user', 'ip'),
  '113016': message(['authentication', 'login', 'failure'], [], 'user'),
  '113017': message(['authentication', 'login', 'failure'], [], 'user'),
  '113018': message(['authentication', 'set_acl', ''], [], 'user'),
  '113019': message(['vpn', 'disconnect', 'success'], [], 'user', 'ip'),
  '113021': message(['authentication', 'login', 'failure'], [], 'user'),
  '113039': message(['vpn', 'connect', 'success'], [], 'user', 'ip'),
  '209004': message(['threat', 'drop', 'failure'], ['src', 'dest']),
  '302010': message(['traffic', '', ''], []),
  '302013': message(built, ['for', 'to'], 'protocol'),
  '302014': message(ended, ['for', 'to'], 'protocol'),
  '302015': message(built, ['for', 'to'], 'protocol'),
  '302016': message(ended, ['for', 'to'], 'protocol'),
  '302020': message(built, ['laddr', 'faddr'], 'protocol'),
  '302021': message(ended, ['laddr', 'faddr'], 'protocol'),
  '302022': message(built, ['for', 'to'], 'protocol'),
  '303002': message(['file', 'transfer', 'success'], ['from', 'to'], 'user'),
  '304001': message(['web', 'access', 'success'], ['<Accessed', 'URL']),
  '304002': message(['web', 'access', 'failure'], ['SRC', 'DEST']),
  '305005': message(['translation', 'no_translation', 'failure'], ['src', 'dst'], 'protocol'),
  '305006': message(['translation', 'no_translation', 'failure'], ['src', 'dst'], 'protocol'),
  '305009': message(translated, ['from', 'to']),
  '305010': message(untranslated, ['from', 'to']),
  '305011': message(translated, ['from', 'to'], 'protocol'),
  '305012': message(untranslated, ['from', 'to'], 'protocol'),
  '305013': message(['translation', 'deny', 'failure'], ['src', 'dst'], 'protocol'),
  '313001': message(['traffic', 'denied', 'failure'], ['from'], 'protocol'),
  '313004': message(['traffic', 'denied', 'failure'], ['laddr', 'to'], 'protocol'),
  '313005': message(['traffic', 'no_connection', 'failure'], ['src', 'dst'], 'protocol'),
  '313008': message(['traffic', 'denied', 'failure'], ['from'], 'protocol'),
  '315011': message(['authentication', 'disconnect', ''], ['from'], 'user'),
  '338002': message(['threat', 'monitor', ''], ['from', 'to'], 'protocol'),
  '400013': message(['threat', 'detect', ''], ['from', 'to']),
  '405001': message(['threat', 'detect', ''], ['from', 'to']),
  '410001': message(['threat', 'drop', 'failure'], ['from', 'to'], 'protocol'),
  '419002': message(['threat', 'detect', ''], ['from', 'to'], 'protocol'),
  '500003': message(['threat', 'detect', ''], ['from', 'to'], 'protocol'),
  '500004': message(['threat', 'detect', ''], ['from', 'to'], 'protocol'),
  '502103': message(['authentication', 'change_privileges', 'success'], [], 'user'),
  '605004': message(['authentication', 'login', 'failure'], ['from', 'to'], 'user'),
  '605005': message(['authentication', 'login', 'success'], ['from', 'to'], 'user'),
  '606001': message(['authentication', 'connect', 'success'], ['from']),
  '606003': message(['authentication', 'disconnect', 'success'], ['from']),
  '609001': message(['traffic', 'built', 'success'], []),
  '609002': message(['traffic', 'teardown', 'success'], []),
  '611101': message(['authentication', 'login', 'success'], [], 'user', 'ip'),
  '611102': message(['authentication', 'login', 'failure'], [], 'user', 'ip'),
  '611103': message(['authentication', 'logout', 'success'], [], 'user'),
  '710001': message(['traffic', 'access', ''], ['from', 'to'], 'protocol'),
  '710002': message(['traffic', 'permit', 'success'], ['from', 'to'], 'protocol'),
  '710003': message(['traffic', 'denied', 'failure'], ['from', 'to'], 'protocol'),
  '710004': message(['traffic', 'denied', 'failure'], ['from', 'to'], 'protocol'),
  '710005': message(['traffic', 'discarded', 'failure'], ['from', 'to'], 'protocol'),
  '710006': message(['traffic', 'discarded', 'failure'], ['from', 'to'], 'protocol'),
  '716001': message(['vpn', 'connect', 'success'], [], 'user', 'ip'),
  '716002': message(['vpn', 'disconnect', 'success'], [], 'user', 'ip'),
  '716039': message(['vpn', 'login', 'failure'], [], 'user', 'ip'),
  '722022': message(['vpn', 'connect', 'success'], [], 'user', 'ip'),
  '722023': message(['vpn', 'disconnect', 'success'], [], 'user', 'ip'),
  '722051': message(['vpn', 'assign_address', 'success'], [], 'user', 'ip'),
  '725001': message(['tls', 'handshake_start', ''], ['client', 'to']),
  '725002': message(['tls', 'handshake_complete', 'success'], ['client', 'to']),
  '725003': message(['tls', 'resume', 'success'], ['client', 'to']),
  '725006': message(['tls', 'handshake_complete', 'failure'], ['client', 'to']),
  '725007': message(['tls', 'end', 'success'], ['client', 'to']),
  '733100': message(['threat', 'rate_exceeded', ''], []),
  '733101': message(['threat', 'rate_exceeded', ''], ['Host']),
  '733102': message(['threat', 'shun', 'success'], ['host']),
  '733103': message(['threat', 'unshun', 'success'], ['host']),
};

/** Of messages the table lacks: VPN by their range, others `log`. */
const otherMessages: readonly (readonly [string, AsaMessage])[] = [
  ['713', message(vpn, [], 'user', 'ip')],
  ['714', message(vpn, [], 'ip')],
  ['715', message(vpn, [], 'ip')],
  ['722', message(vpn, [], 'user', 'ip')],
  ['750', message(vpn, [], 'user', 'ip')],
  ['751', message(vpn, [], 'user', 'ip')],
  ['752', message(vpn, [])],
];
const unknownMessage = message(['log', '', ''], ['from', 'to'], 'protocol', 'user');

/** What a message of this six-digit number means. */
export function asaMessageOf(id: string): AsaMessage {
  const known = messages[id];
  if (known !== undefined) return known;
  const range = id.slice(0, 3);
  return otherMessages.find(([prefix]) => prefix === range)?.[1] ?? unknownMessage;
}
