import { readTime, yearlessTime } from '../event-time.ts';
import type { SyslogHeader } from '../format.ts';
import { type Priority, readPriority } from '../syslog-priority.ts';

const OLD_TIME = /^([A-Z][a-z]{2}) ([ \d]\d)(?: (\d{4}))? (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?:? /;
/** What rsyslog and others write instead when told to. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})) /;
const HOST = /^([A-Za-z0-9_.:%[\]-]{1,255}) /;
const TAG = /^([\w.%/@()-]{1,64}?)(?:\[([^\]\s]{1,64})\])?: ?/;

/**
 * RFC 3164 and what is sent under its name: `<34>Feb 22 16:45:20 host sshd[2738]: message`. The priority may be missing
 * (files), or everything but the priority (appliances). A line with neither is not syslog. Year and zone: `yearlessTime`.
 */
export function readRfc3164(line: string, receivedAt: number): SyslogHeader | undefined {
  const priority = readPriority(line);
  const start = line.slice(priority?.length ?? 0).trimStart();
  const stamp = readStamp(start, receivedAt);
  if (stamp === undefined) return priority === undefined ? undefined : withoutTime(start, priority);
  const afterStamp = start.slice(stamp.length);
  const host = HOST.exec(afterStamp);
  // `kernel: …` right after the time: the host was left out.
  const hasHost = host !== null && !(host[1] ?? '').endsWith(':');
  return assemble({
    priority,
    time: stamp.time,
    host: hasHost ? (host[1] ?? '') : '',
    rest: hasHost ? afterStamp.slice(host[0].length) : afterStamp,
  });
}

function readStamp(text: string, receivedAt: number): { time: number | undefined; length: number } | undefined {
  const old = OLD_TIME.exec(text);
  if (old !== null) {
    const [stamp, month = '', day = '', year, hour, minute, second, fraction = '0'] = old;
    const at = {
      month,
      day: Number(day),
      hour: Number(hour),
      minute: Number(minute),
      second: Number(second),
      fraction,
    };
    // With a year given, that year's end is the "now" from which the year is chosen.
    const from = year === undefined ? receivedAt : Date.UTC(Number(year), 11, 30, 23, 59, 59);
    return { time: yearlessTime(at, from), length: stamp.length };
  }
  const iso = ISO_TIME.exec(text);
  return iso === null ? undefined : { time: readTime(iso[1]), length: iso[0].length };
}

function withoutTime(text: string, priority: Priority): SyslogHeader {
  return assemble({ priority, time: undefined, host: '', rest: text });
}

function assemble(parts: {
  priority: Priority | undefined;
  time: number | undefined;
  host: string;
  rest: string;
}): SyslogHeader {
  const tag = TAG.exec(parts.rest);
  return {
    facility: parts.priority?.facility,
    severity: parts.priority?.severity,
    time: parts.time,
    host: parts.host,
    app: tag?.[1] ?? '',
    procId: tag?.[2] ?? '',
    msgId: '',
    structuredData: undefined,
    message: parts.rest.slice(tag?.[0].length ?? 0),
  };
}
