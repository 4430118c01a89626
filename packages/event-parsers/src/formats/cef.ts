import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, snakeCase, tenPointSeverityOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat } from '../format.ts';
import { integrationOfVendor } from './product-names.ts';
import { readStamp } from './syslog-stamp.ts';

/** How far into the text the mark may stand: some write the name of their program in front of it. */
const MARK_WITHIN = 120;
const HEADER_NAMES = [
  'cef_version',
  'device_vendor',
  'device_product',
  'device_version',
  'signature_id',
  'name',
  'cef_severity',
] as const;
const MAX_PAIRS = 500;
const KEY_MAX = 128;
const KEY = /^[\w.[\]-]{1,128}$/;

/** ArcSight Common Event Format, any vendor: `CEF:0|Vendor|Product|Version|Id|Name|Severity|key=value …`. */
export const cefFormat: MessageFormat = {
  name: 'cef',
  needs: 'CEF:',
  parse(event, { body }, reception) {
    const mark = body.indexOf('CEF:');
    if (mark === -1 || mark > MARK_WITHIN) return undefined;
    const header = readHeader(body, mark + 4);
    if (header === undefined) return undefined;
    const pairs = readExtension(body.slice(header.end));
    const [, vendor = '', , , , name = '', severity] = header.values;
    event.integration = integrationOfVendor(vendor, header.values[2] ?? '');
    event.event_type = snakeCase(pairs.cat ?? pairs.deviceEventCategory) || 'event';
    event.severity = tenPointSeverityOf(severity) || event.severity;
    event.message = pairs.msg || name;
    fillColumns(event, pairs);
    setTime(event, timeOf(pairs, reception.receivedAt), reception);
    for (const [index, key] of HEADER_NAMES.entries()) pairs[key] = header.values[index]?.trim() ?? '';
    takeFields(event, pairs);
    return event;
  },
};

function fillColumns(event: ParsedEvent, pairs: Readonly<Record<string, string>>): void {
  event.host = pairs.dvchost || pairs.shost || event.host || pairs.dvc || '';
  event.user = pairs.suser || pairs.duser || pairs.account || '';
  event.src_ip = addressOf(pairs.src || pairs.c6a2);
  event.dst_ip = addressOf(pairs.dst || pairs.c6a3);
  event.action = snakeCase(pairs.act);
  event.outcome = outcomeOf(pairs.outcome) || outcomeOf(pairs.act);
}

/** Seven values, each ended by a bar; a backslash takes the next character as it is. */
function readHeader(text: string, start: number): { values: string[]; end: number } | undefined {
  const values: string[] = [];
  let value = '';
  for (let at = start, from = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) {
      value += text.slice(from, at);
      from = ++at;
    } else if (code === 124) {
      values.push(value + text.slice(from, at));
      if (values.length === 1 && !/^\s?\d/.test(values[0] ?? '')) return undefined;
      if (values.length === HEADER_NAMES.length) return { values, end: at + 1 };
      value = '';
      from = at + 1;
    }
  }
  return undefined;
}

/**
 * A value reaches to the space before the next key: `msg=two words src=192.0.2.1`. Keys are found from the unescaped equal
 * signs; one whose key is no word belongs to the value before it.
 */
function readExtension(text: string): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  let key = '';
  let start = 0;
  let equals = nextEquals(text, 0);
  for (let count = 0; equals !== -1 && count < MAX_PAIRS; equals = nextEquals(text, equals + 1)) {
    // A key is short, so looking further back would only cost time.
    const lookFrom = Math.max(start, equals - KEY_MAX - 1);
    const from = lookFrom + text.slice(lookFrom, equals).lastIndexOf(' ') + 1;
    const word = text.slice(from, equals);
    if (!KEY.test(word)) continue;
    if (key !== '') pairs[key] = unescaped(text.slice(start, Math.max(from, start)));
    key = word;
    start = equals + 1;
    count++;
  }
  if (key !== '') pairs[key] = unescaped(text.slice(start));
  return pairs;
}

function nextEquals(text: string, from: number): number {
  let at = text.indexOf('=', from);
  while (at > 0 && text.charCodeAt(at - 1) === 92) at = text.indexOf('=', at + 1);
  return at;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function unescaped(value: string): string {
  const trimmed = value.trim();
  const text = trimmed.length > 1 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : trimmed;
  return text.includes('\\') ? text.replace(/\\([=|\\nrt])/g, (_, sign: string) => escapes[sign] ?? sign) : text;
}

/** Milliseconds or `Feb 22 2026 16:45:20 UTC`. */
function timeOf(pairs: Readonly<Record<string, string>>, receivedAt: number): number | undefined {
  const text = pairs.rt || pairs.end || pairs.start || pairs.deviceReceiptTime;
  if (text === undefined) return undefined;
  return readTime(text) ?? readStamp(`${text}:`, receivedAt, true)?.time;
}
