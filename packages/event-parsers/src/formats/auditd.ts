import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf } from '../column-values.ts';
import type { MessageFormat, Reception } from '../format.ts';
import { auditKindOf, isEncodedField } from './auditd-types.ts';

const HEAD =
  /^(?:node=(\S{1,255}) )?type=([A-Z0-9_\][]{2,40}) (?:msg=)?audit\((\d{9,11})(?:\.(\d{1,6}))?:(\d{1,20})\): ?/;
const MAX_PAIRS = 500;
const HEX = /^(?:[0-9A-F]{2}){1,8192}$/;
/** Stands between the raw values and those auditd looked up; rsyslog writes it in octal digits, which a value may hold too. */
const ENRICHED = '\x1d';
const ENRICHED_ESCAPED = /#035(?=[A-Z][A-Z-]{1,19}=)/;

/** Linux audit records: `type=… msg=audit(seconds.ms:serial): key=value …`. Values in hexadecimal digits are decoded. */
export const auditdFormat: MessageFormat = {
  name: 'auditd',
  needs: 'audit(',
  parse(event, { body, message }, reception) {
    const text = body.startsWith('type=') || body.startsWith('node=') ? body : message;
    const head = text.startsWith('type=') || text.startsWith('node=') ? HEAD.exec(text) : null;
    return head === null ? undefined : fill(event, head, text.slice(head[0].length), reception);
  },
};

function fill(event: ParsedEvent, head: RegExpExecArray, text: string, reception: Reception): ParsedEvent {
  const [, node = '', type = '', seconds, fraction = '0', serial] = head;
  const pairs = readPairs(type, text);
  const [eventType, action] = auditKindOf(type);
  setTime(event, Number(seconds) * 1000 + Math.trunc(Number(`0.${fraction}`) * 1000), reception);
  event.integration = 'auditd';
  event.event_type = eventType;
  event.action = action;
  event.outcome = outcomeIn(pairs);
  event.message = text;
  event.host = node || pairs.node || event.host;
  event.user = pairs.acct ?? known(pairs.AUID) ?? pairs.user ?? pairs.UID ?? '';
  event.src_ip = addressOf(pairs.addr ?? pairs.saddr);
  pairs.audit_type = type;
  pairs.audit_serial = serial ?? '';
  takeFields(event, pairs);
  return event;
}

/** Daemons act for nobody who signed in. */
function known(name: string | undefined): string | undefined {
  return name === 'unset' ? undefined : name;
}

function outcomeIn({ res, success, result }: Readonly<Record<string, string>>): string {
  const word = res ?? success ?? result;
  if (word === '1' || word === 'yes') return 'success';
  if (word === '0' || word === 'no') return 'failure';
  return outcomeOf(word);
}

/** Pairs of a record; those inside `msg='…'` count as its own. */
function readPairs(type: string, text: string): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  const plain = text.replace(text.includes(ENRICHED) ? ENRICHED : ENRICHED_ESCAPED, ' ');
  let at = 0;
  for (let count = 0; count < MAX_PAIRS; count++) {
    const equals = plain.indexOf('=', at);
    if (equals === -1) break;
    const before = plain.slice(at, equals);
    const key = before.slice(before.lastIndexOf(' ') + 1);
    if (plain.startsWith("msg='", equals - 3) && key === 'msg') {
      at = equals + 2;
      continue;
    }
    const { value, end, isQuoted } = readValue(plain, equals + 1);
    if (key !== '' && value !== '?' && value !== '') {
      pairs[key] = !isQuoted && isEncodedField(type, key) ? decoded(value) : value;
    }
    at = end;
  }
  return pairs;
}

function readValue(text: string, start: number): { value: string; end: number; isQuoted: boolean } {
  // Quotes have no escapes: what holds a quote is written in hexadecimal digits.
  const close = text[start] === '"' ? text.indexOf('"', start + 1) : -1;
  if (close !== -1) return { value: text.slice(start + 1, close), end: close + 1, isQuoted: true };
  const space = text.indexOf(' ', start);
  const end = space === -1 ? text.length : space;
  const value = text.slice(start, end);
  return { value: value.endsWith("'") ? value.slice(0, -1) : value, end, isQuoted: false };
}

/** NULs part the arguments of a command line. */
function decoded(value: string): string {
  if (value.length % 2 === 1 || !HEX.test(value)) return value;
  return Buffer.from(value, 'hex').toString('utf8').replace(/\0+$/, '').replaceAll('\0', ' ');
}
