import { isIP } from 'node:net';
import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { addressOf, outcomeOf, syslogSeverityOf } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';
import { type AsaMessage, asaMessageOf } from './cisco-asa-messages.ts';
import { fillSecurityEvent } from './firepower.ts';

const MARK = /^%(ASA|PIX|FTD|FWSM)-(?:[a-z-]{1,20}-)?(\d)-(\d{6}): ?/;
const MARK_WITHIN = 80;
const PROTOCOL = /\b(TCP|UDP|ICMP|ICMPv6|ESP|GRE|AH|IGMP|OSPF)\b/i;
/** What an access list decided; `est-allowed` belongs to a connection that was let through before. */
const VERDICT = /^access-list \S{1,128} (denied|permitted|est-allowed) /;
const USER = /(?:\b[Uu]ser(?:name)? ?(?:[=:] ?|(?=["'<]))|\bUname: |\bfor user )["'<]?([^\s"'<>,:)]{1,128})/;
const IP = /\bIP(?:v6)?(?: address)? ?[=:<]? ?<?([0-9a-fA-F:.]{3,45})\b/;
/** `192.0.2.1/443(LOCAL\ana)`, `192.0.2.1(443)`, `192.0.2.1`. */
const ENDPOINT = /^([0-9A-Fa-f:.]{2,45})(?:[/(](\d{1,5}|[a-z]{2,12})\)?)?(?:\(([^()\s]{1,200})\))?/;
/** `outside:` or `inside/` in front of it. */
const INTERFACE = /^([\w.-]{1,64})[:/]/;
const ENDPOINT_MAX = 320;

/**
 * Cisco ASA, PIX, FWSM and FTD. The first address of a connection is `src_ip` and the second `dst_ip`, as they stand in the
 * line; `direction` tells which side opened it. Of ICMP connections the local address is the source.
 */
export const ciscoAsaFormat: MessageFormat = {
  name: 'cisco_asa',
  needs: '%',
  parse(event, { body }) {
    const start = body.indexOf('%');
    if (start === -1 || start > MARK_WITHIN) return undefined;
    const rest = body.slice(start);
    const mark = MARK.exec(rest);
    if (mark === null) return undefined;
    const [whole, product = '', severity, id = ''] = mark;
    const text = rest.slice(whole.length);
    const message = asaMessageOf(id);
    event.integration = product === 'FTD' ? 'cisco_ftd' : 'cisco_asa';
    event.event_type = message.event_type;
    event.action = message.action;
    event.outcome = message.outcome;
    event.severity = syslogSeverityOf(Number(severity));
    event.message = text;
    Object.assign(event.fields, { message_id: id, cisco_tag: `${product}-${severity}-${id}` });
    if (!fillSecurityEvent(event, id, text)) fillText(event, text, message);
    return event;
  },
};

function fillText(event: ParsedEvent, text: string, { from, to, has }: AsaMessage): void {
  const { fields } = event;
  const source = from === undefined ? undefined : endpointAfter(text, from);
  const destination = to === undefined ? undefined : endpointAfter(text, to);
  event.src_ip = source?.address || (has.includes('ip') ? addressOf(IP.exec(text)?.[1]) : '');
  event.dst_ip = destination?.address ?? '';
  event.user = (has.includes('user') ? USER.exec(text)?.[1] : undefined) ?? source?.user ?? destination?.user ?? '';
  if (source !== undefined) noteSource(fields, source);
  if (destination !== undefined) noteDestination(fields, destination);
  const protocol = has.includes('protocol') ? PROTOCOL.exec(text)?.[1] : undefined;
  if (protocol !== undefined) fields.protocol = protocol.toLowerCase();
  const direction = /\b(inbound|outbound)\b/i.exec(text.slice(0, 40))?.[1];
  if (direction !== undefined) fields.direction = direction.toLowerCase();
  const verdict = has.includes('verdict') ? VERDICT.exec(text)?.[1] : undefined;
  if (verdict !== undefined) {
    event.action = verdict === 'denied' ? 'deny' : 'permit';
    event.outcome = outcomeOf(event.action);
  }
  fillDetails(fields, text);
}

type Endpoint = { zone: string; address: string; port: string; user: string | undefined };

/** The address behind the first ` <word> ` that has one; with `<word`, the one right before the word. */
function endpointAfter(text: string, word: string): Endpoint | undefined {
  if (word.startsWith('<')) return endpointBefore(text, ` ${word.slice(1)} `);
  const marked = ` ${word} `;
  let at = text.startsWith(`${word} `) ? -1 : text.indexOf(marked);
  if (at === -1 && !text.startsWith(`${word} `)) return undefined;
  for (let tries = 0; tries < 4; tries++) {
    const endpoint = readEndpoint(text.slice(at + marked.length, at + marked.length + ENDPOINT_MAX));
    if (endpoint !== undefined) return endpoint;
    at = text.indexOf(marked, at + 1);
    if (at === -1) return undefined;
  }
  return undefined;
}

function endpointBefore(text: string, marked: string): Endpoint | undefined {
  const at = text.indexOf(marked);
  if (at === -1) return undefined;
  const word = text.slice(Math.max(0, at - ENDPOINT_MAX), at);
  const start = word.slice(word.lastIndexOf(' ') + 1);
  // `ana@192.0.2.1`
  const name = start.lastIndexOf('@');
  const endpoint = readEndpoint(start.slice(name + 1));
  return endpoint === undefined || name === -1 ? endpoint : { ...endpoint, user: start.slice(0, name) };
}

function readEndpoint(text: string): Endpoint | undefined {
  const plain = endpointIn(text, '');
  if (plain !== undefined) return plain;
  const zone = INTERFACE.exec(text);
  return zone === null ? undefined : endpointIn(text.slice(zone[0].length), zone[1] ?? '');
}

function endpointIn(text: string, zone: string): Endpoint | undefined {
  const found = ENDPOINT.exec(text);
  // `192.0.2.1:/path` ends its address with a colon, a sentence with a stop.
  const address = found?.[1]?.replace(/(?<=\d\.\d{1,3})[:.]$/, '') ?? '';
  if (found === null || isIP(address) === 0) return undefined;
  return { zone, address: addressOf(address), port: found[2] ?? '', user: withoutRealm(found[3]) };
}

/** `LOCAL\ana` is ana of the device's own list. */
function withoutRealm(user: string | undefined): string | undefined {
  return user?.startsWith('LOCAL\\') ? user.slice(6) : user;
}

function noteSource(fields: Record<string, unknown>, { zone, port }: Endpoint): void {
  if (zone !== '') fields.src_interface = zone;
  if (port !== '') fields.src_port = portOf(port);
}

function noteDestination(fields: Record<string, unknown>, { zone, port }: Endpoint): void {
  if (zone !== '') fields.dst_interface = zone;
  if (port !== '') fields.dst_port = portOf(port);
}

/** Some messages name the service instead. */
function portOf(port: string): number | string {
  const number = Number(port);
  return Number.isNaN(number) ? port : number;
}

/** Details of a message: the word every text with it holds, what to read, and whether it is a number. */
const details: readonly (readonly [name: string, needs: string, pattern: RegExp, kind: 'number' | 'text'])[] = [
  ['bytes', ' bytes ', / bytes (\d{1,18})/, 'number'],
  ['connection_id', ' connection ', / connection (\d{1,18})/, 'number'],
  ['duration', 'uration', /\b[dD]uration:? (\d{1,4}:\d{2}:\d{2})/, 'text'],
  ['access_group', 'access-', /\baccess-(?:group|list) "?([^\s"]{1,128})/, 'text'],
  ['flags', ' flags ', / flags ([A-Z ]{1,40}?) {1,2}on interface/, 'text'],
  ['group', 'Group ', /\bGroup [=<] ?([^\s,>]{1,128})/, 'text'],
  ['reason', 'eason', /\b[Rr]eason ?[:=] ?([^,]{1,200})/, 'text'],
];

function fillDetails(fields: Record<string, unknown>, text: string): void {
  for (const [name, needs, pattern, kind] of details) {
    const value = text.includes(needs) ? pattern.exec(text)?.[1] : undefined;
    if (value !== undefined) fields[name] = kind === 'number' ? Number(value) : value.trim();
  }
}
