import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { addressOf, outcomeOf, syslogSeverityOf } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';
import { fillSecurityEvent } from './firepower.ts';

const MARK_WITHIN = 80;
const MARK = /^%([A-Z][A-Za-z0-9_]{1,40}(?:-[A-Za-z][A-Za-z0-9_]{0,40}){0,3}?)-([0-7])-([A-Z0-9_]{2,60})\b:? ?/;
const VIPTELA = /^%Viptela-([\w.-]{1,100})-(\w{1,40})-([0-7])-\w{1,20}-(\d{1,10}): ?/;
const ADDRESS = /\b(?:from|Source:|src|host) \[?((?:\d{1,3}\.){3}\d{1,3})\b/;
const IPV6_ADDRESS = /\b(?:from|Source:|src|host) \[?([0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{0,40}[0-9A-Fa-f])/;
const USER = /(?:\buser:? |\[user: |user-name:")([^\s"\],]{1,128})/i;

/** `Configured from console by ana on vty0 (192.0.2.5)`; without a name the line stands there: `by vty0 (192.0.2.5)`. */
const CONFIGURED = /^Configured from .{1,80}? by (?:([^\s()]{1,128}) on )?\S{1,80}(?: \(([0-9A-Fa-f:.]{3,45})\))?/;
/** `list 101 denied tcp 192.0.2.5(1080) -> 192.0.2.6(80)`; interface and hardware address may stand before the arrow. */
const ACCESS_LIST =
  /^list (\S{1,128}) (denied|permitted) (\S{1,20}) ([0-9A-Fa-f:.]{3,45})(?:\((\d{1,5})\))? (?:\([^()]{1,100}\) )?-> ([0-9A-Fa-f:.]{3,45})(?:\((\d{1,5})\))?/;

/** Facilities that belong to a product of their own; all others are IOS, IOS XE, IOS XR or NX-OS. */
const integrations: ReadonlyMap<string, string> = new Map([
  ['UCSM', 'cisco_ucs'],
  ['NGIPS', 'cisco_firepower'],
]);

/** Mnemonics policies ask for: what was done, and how it ended. */
const mnemonics: ReadonlyMap<string, readonly [event_type: string, action: string, outcome: string]> = new Map([
  ['LOGIN_SUCCESS', ['authentication', 'login', 'success']],
  ['LOGIN_FAILED', ['authentication', 'login', 'failure']],
  ['LOGOUT', ['authentication', 'logout', 'success']],
  ['CONFIG_I', ['configuration', 'configure', 'success']],
  ['IPACCESSLOGP', ['traffic', '', '']],
  ['IPACCESSLOGDP', ['traffic', '', '']],
]);

/** Cisco's `%FACILITY-SEVERITY-MNEMONIC: text` of switches, routers, UCS and SD-WAN. */
export const ciscoEventFormat: MessageFormat = {
  name: 'cisco_event',
  needs: '%',
  parse(event, { body }) {
    const start = body.indexOf('%');
    if (start === -1 || start > MARK_WITHIN) return undefined;
    const rest = body.slice(start);
    const viptela = rest.startsWith('%Viptela-') ? VIPTELA.exec(rest) : null;
    const mark = viptela ?? MARK.exec(rest);
    if (mark === null) return undefined;
    const [whole, first = '', second = '', third = '', fourth = ''] = mark;
    const facility = viptela === null ? first : second;
    const severity = viptela === null ? second : third;
    const mnemonic = viptela === null ? third : fourth;
    const [eventType, action, outcome] = mnemonics.get(mnemonic) ?? ['log', '', ''];
    const text = rest.slice(whole.length);
    event.integration = viptela === null ? (integrations.get(facility) ?? 'cisco_ios') : 'cisco_viptela';
    event.event_type = eventType;
    event.action = action;
    event.outcome = outcome;
    event.severity = syslogSeverityOf(Number(severity));
    event.message = text;
    event.host ||= viptela === null ? '' : first;
    event.user = USER.exec(text)?.[1] ?? '';
    event.src_ip = ADDRESS.exec(text)?.[1] ?? addressOf(IPV6_ADDRESS.exec(text)?.[1]);
    Object.assign(event.fields, { facility, mnemonic });
    fillers.get(mnemonic)?.(event, text);
    fillSecurityEvent(event, mnemonic, text);
    return event;
  },
};

/** Mnemonics whose text says more in a form of its own. */
const fillers: ReadonlyMap<string, (event: ParsedEvent, text: string) => void> = new Map([
  ['CONFIG_I', fillConfigured],
  ['IPACCESSLOGP', fillAccessList],
  ['IPACCESSLOGDP', fillAccessList],
]);

function fillConfigured(event: ParsedEvent, text: string): void {
  const found = CONFIGURED.exec(text);
  if (found === null) return;
  event.user = found[1] ?? '';
  event.src_ip ||= addressOf(found[2]);
}

function fillAccessList(event: ParsedEvent, text: string): void {
  const found = ACCESS_LIST.exec(text);
  if (found === null) return;
  const [, list, verdict, protocol, source, sourcePort, destination, destinationPort] = found;
  event.src_ip = addressOf(source);
  event.dst_ip = addressOf(destination);
  event.action = verdict === 'denied' ? 'deny' : 'permit';
  event.outcome = outcomeOf(event.action);
  Object.assign(event.fields, { access_group: list, protocol });
  if (sourcePort !== undefined) event.fields.src_port = Number(sourcePort);
  if (destinationPort !== undefined) event.fields.dst_port = Number(destinationPort);
}
