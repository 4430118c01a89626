import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime, takeFields } from '../blank-event.ts';
import { addressWithPort, outcomeOf } from '../column-values.ts';
import type { MessageFormat, Reception } from '../format.ts';
import { parseKeyValues, parseSeparated } from '../key-value.ts';
import { deviceTime } from './device-time.ts';
import { genericJsonFormat } from './generic-json.ts';
import { nameProduct } from './syslog-products.ts';

/** Fewer pairs than this, and it is a sentence that happens to hold a sign. */
const MIN_PAIRS = 3;
const FIRST_WITHIN = 64;
const KEY = /^(?:[\w@#:.-]{1,60}:? {1,2})?[A-Za-z_@][\w.@/-]{0,60}$/;
/** Products told by the keys they write, all of them in one line. */
const PRODUCTS: readonly (readonly [integration: string, keys: readonly string[]])[] = [
  ['sophos_xg', ['device_name', 'log_type', 'log_component']],
  ['sonicwall', ['sn', 'fw', 'pri', 'm']],
  ['sophos_utm', ['sys', 'sub', 'name', 'severity']],
  ['zscaler', ['Recordtype', 'tunneltype', 'vendor']],
  ['watchguard', ['msg_id', 'policy', 'disp']],
];
/** What every firewall of Sophos may write where its name belongs. */
const SOPHOS_ANY = 'SFW';

/**
 * `key=value key="value"` of products without a format of their own; columns by well-known names, as for JSON. The line must
 * begin with a pair.
 */
export const keyValueFormat: MessageFormat = {
  name: 'key_value',
  needs: '=',
  parse(event, header, reception) {
    const text = header.message;
    const first = text.indexOf('=');
    if (first < 1 || (first > FIRST_WITHIN && !text.includes('\t'))) return undefined;
    const pairs = pairsIn(text, first);
    if (pairs === undefined) return undefined;
    const known = genericJsonFormat.parse(pairs, reception);
    if (known.host === SOPHOS_ANY) known.host = '';
    setDeviceTime(known, pairs, reception);
    nameProduct(event, header);
    takeColumns(event, known);
    event.outcome ||= outcomeOf(pairs.action);
    event.integration = productOf(pairs) ?? event.integration;
    const [source, destination] = [addressWithPort(pairs.src), addressWithPort(pairs.dst)];
    event.src_ip ||= source.address;
    event.dst_ip ||= destination.address;
    takeFields(event, pairs);
    // SonicWall writes a port nowhere else.
    if (source.address !== '' && source.port !== undefined) event.fields.src_port ??= source.port;
    if (destination.address !== '' && destination.port !== undefined) event.fields.dst_port ??= destination.port;
    return event;
  },
};

function pairsIn(text: string, first: number): Record<string, string> | undefined {
  const tab = text.indexOf('\t');
  const isTabbed = tab !== -1 && text.indexOf('=', tab) !== -1;
  if (!isTabbed && !KEY.test(text.slice(0, first).trim())) return undefined;
  // Typographic quotes come from products whose templates were written in a word processor.
  // Written as escapes: one letter beyond Latin-1 makes V8 keep the whole program in two bytes a letter, 9 MB more.
  const plain = text.includes('”') ? text.replaceAll(/[\u201c\u201d]/g, '"') : text;
  const pairs = isTabbed ? parseSeparated(plain, { separator: '\t', sign: '=' }) : parseKeyValues(plain);
  return Object.keys(pairs).length < MIN_PAIRS ? undefined : pairs;
}

/** Date, time and zone of the device apart from each other; not where one field holds all of them. */
function setDeviceTime(known: ParsedEvent, pairs: Readonly<Record<string, string>>, reception: Reception): void {
  if (pairs.timestamp !== undefined || pairs['@timestamp'] !== undefined) return;
  if ((pairs.date ?? pairs.tz ?? pairs.timezone) !== undefined) setTime(known, deviceTime(pairs), reception);
}

function productOf(pairs: Readonly<Record<string, string>>): string | undefined {
  return PRODUCTS.find(([, keys]) => keys.every((key) => key in pairs))?.[0];
}

/** What the pairs say wins over the header, except where they say nothing. */
function takeColumns(event: ParsedEvent, known: ParsedEvent): void {
  if (known.time_source === 'event') {
    event.time = known.time;
    event.time_source = 'event';
  } else if (event.time_source === 'received') event.time_source = known.time_source;
  if (known.event_type !== 'log') event.event_type = known.event_type;
  for (const column of ['severity', 'message', 'host', 'user', 'src_ip', 'dst_ip', 'action', 'outcome'] as const) {
    if (known[column] !== '') event[column] = known[column];
  }
  event.message ||= event.raw;
}
