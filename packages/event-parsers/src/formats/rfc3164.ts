import type { EnvelopeFormat, SyslogHeader } from '../format.ts';
import { type Priority, readPriority } from '../syslog-priority.ts';
import { readStamp } from './syslog-stamp.ts';

/**
 * Cisco counts its lines, names itself and marks a clock that nobody set: `<187>45: host: 000123: *Mar  1 00:00:01: %SYS…`.
 * Each of them may be missing.
 */
const CISCO_COUNT = /^(\d{1,10}: )?(?:([\w.-]{1,64}): )?(?:\d{1,10}: ){0,2}[*.]?(?=[A-Z0-9])/;
const CISCO_MARK = /^:? ?%[A-Z]/;
/** `user.info ` between time and host. */
const FACILITY_WORD =
  /^(?:kern|user|mail|daemon|auth|authpriv|syslog|lpr|news|uucp|cron|ftp|local[0-7])\.(?:emerg|alert|crit|err|warning|notice|info|debug) /;
const HOST = /^([A-Za-z0-9_.:[][A-Za-z0-9_.:%[\]-]{0,254}) /;
/** Access points write model, address and version where the host belongs. */
const COMMA_HOST = /^([\w.-]{1,64}(?:,[\w.-]{1,64}){1,3}): /;
/** The first word of a message that came without a host. */
const NO_HOST = /^(?:CEF|LEEF):|^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRIT|CRITICAL|FATAL)$/;
/** What looks like the name of a program, and is the start of what a product writes. */
const NO_TAG = /^(?:%|CEF:|LEEF:)/;
const TAG = /^([\w./@()+-]{1,64}?)(?:\[([^\]\s]{1,64})\])? ?: ?/;

/**
 * RFC 3164 and what is sent under its name: `<34>Feb 22 16:45:20 host sshd[2738]: message`. The priority may be missing
 * (files), or everything but the priority (appliances); the time has many forms (`readStamp`), counters may stand in front of
 * it. A line with neither priority nor time is not syslog. Year and zone: `yearlessTime`.
 */
export const rfc3164Format: EnvelopeFormat = {
  name: 'rfc3164',
  read(line, receivedAt) {
    const priority = readPriority(line);
    const start = priority === undefined ? line : line.slice(priority.length).trimStart();
    const isSyslog = priority !== undefined;
    const found = stampIn(start, receivedAt, isSyslog);
    if (found === undefined) {
      return priority && assemble({ priority, time: undefined, host: '', rest: start });
    }
    const afterTime = start.slice(start.charCodeAt(found.end) === 58 ? found.end + 1 : found.end).trimStart();
    const afterStamp = afterTime.slice(FACILITY_WORD.exec(afterTime)?.[0].length ?? 0);
    const { host, length } = readHost(afterStamp);
    return assemble({ priority, time: found.time, host: found.name || host, rest: afterStamp.slice(length) });
  },
};

function stampIn(
  text: string,
  receivedAt: number,
  isSyslog: boolean,
): { time: number | undefined; end: number; name: string } | undefined {
  const stamp = readStamp(text, receivedAt, isSyslog);
  if (stamp !== undefined) return { time: stamp.time, end: stamp.length, name: '' };
  if (!isSyslog) return undefined;
  const colon = text.startsWith(':') ? (/^:\s{0,4}/.exec(text)?.[0].length ?? 0) : 0;
  const [counted = '', count, word = ''] = CISCO_COUNT.exec(text.slice(colon)) ?? [];
  const skipped = colon + counted.length;
  if (skipped === 0) return undefined;
  const behind = readStamp(text.slice(skipped), receivedAt, isSyslog);
  if (behind === undefined) return undefined;
  const end = skipped + behind.length;
  const name = /^\d*$/.test(word) ? '' : word;
  const isCisco = CISCO_MARK.test(text.slice(end, end + 4));
  // Of others than Cisco the word is a program, and with a number before it the beginning of the message.
  if (count !== undefined && name !== '' && !isCisco) return undefined;
  return { time: behind.time, end, name: isCisco ? name : '' };
}

function readHost(text: string): { host: string; length: number } {
  const found = HOST.exec(text);
  const host = found?.[1] ?? '';
  // `kernel: …` right after the time: the host was left out.
  if (found !== null && host !== ':' && !host.endsWith(':') && !NO_HOST.test(host)) {
    return { host: host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host, length: found[0].length };
  }
  const listed = COMMA_HOST.exec(text);
  return { host: listed?.[1] ?? '', length: listed?.[0].length ?? 0 };
}

/** The header around what follows time and host. */
export function assemble(parts: {
  priority: Priority | undefined;
  time: number | undefined;
  host: string;
  rest: string;
}): SyslogHeader {
  const body = parts.rest.startsWith(':') ? parts.rest.slice(1).trimStart() : parts.rest;
  const tag = NO_TAG.test(body) ? null : TAG.exec(body);
  return {
    facility: parts.priority?.facility,
    severity: parts.priority?.severity,
    time: parts.time,
    host: parts.host,
    app: tag?.[1] ?? '',
    procId: tag?.[2] ?? '',
    msgId: '',
    structuredData: undefined,
    body,
    message: body.slice(tag?.[0].length ?? 0),
  };
}
