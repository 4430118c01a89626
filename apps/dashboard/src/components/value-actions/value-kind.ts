import { parseAddress } from '@airdeck/query-language/ip-address';

/** What a value of an event names, as far as an action can take it. */
export type ValueKind = 'ip' | 'host' | 'user' | 'email' | 'hash' | 'url' | 'domain';

const VALUE_MAX = 2000;
/** MD5, SHA-1 and SHA-256. */
const hashPattern = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;
const domainPattern = /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}$/i;
const emailPattern = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

const userField =
  /(?:^|[._])(?:users?|usernames?|user_?names?|accounts?|principals?|logins?|actors?)(?:_?(?:name|id))?$/;
const hostField = /(?:^|[._])(?:hosts?|host_?names?|computers?|devices?|machines?|endpoints?)(?:_?name)?$/;
const domainField = /(?:^|[._])(?:domains?|fqdn|query|query_?name|server_?name|sni)$/;

/**
 * What a value may be, the likeliest first: its own form says most (an address, a hash), and the name of the field what a
 * bare word is. Empty for what no action is about, such as a port or a message.
 */
export function kindsOfValue(field: string, value: string): readonly ValueKind[] {
  if (value === '' || value.length > VALUE_MAX || /\s/.test(value)) return [];
  if (parseAddress(value) !== undefined) return ['ip'];
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return ['url'];
  if (hashPattern.test(value)) return ['hash'];
  const name = snakeCase(field);
  const isUser = userField.test(name) && !/^[-\d]+$/.test(value);
  if (emailPattern.test(value)) return isUser ? ['user', 'email'] : ['email', 'user'];
  const isDomain = domainPattern.test(value);
  if (hostField.test(name)) return isDomain ? ['host', 'domain'] : ['host'];
  if (isUser) return ['user'];
  return isDomain && domainField.test(name) ? ['domain'] : [];
}

/** `TargetUserName` is `target_user_name`: Windows writes names together. */
function snakeCase(field: string): string {
  return field.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
