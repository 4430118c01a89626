import { syslogSeverityOf } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';

const MARK_WITHIN = 80;
const MARK = /^%([A-Z][A-Za-z0-9_]{1,40}(?:-[A-Za-z][A-Za-z0-9_]{0,40}){0,3}?)-([0-7])-([A-Z0-9_]{2,60})\b:? ?/;
const VIPTELA = /^%Viptela-([\w.-]{1,100})-(\w{1,40})-([0-7])-\w{1,20}-(\d{1,10}): ?/;
const ADDRESS = /\b(?:from|Source:|src|host) \[?((?:\d{1,3}\.){3}\d{1,3})\b/;
const USER = /(?:\buser:? |\[user: |user-name:")([^\s"\],]{1,128})/i;

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
    event.src_ip = ADDRESS.exec(text)?.[1] ?? '';
    Object.assign(event.fields, { facility, mnemonic });
    return event;
  },
};
