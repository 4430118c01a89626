import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { blankEvent, setTime } from '../blank-event.ts';
import { cleanText } from '../clean-record.ts';
import { severityOf, syslogSeverityOf, textOf } from '../column-values.ts';
import { readMonthFirstTime, readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat, Reception, SyslogHeader } from '../format.ts';
import { takeMessage } from './syslog.ts';
import { nameProduct } from './syslog-products.ts';

/** Lines of syslog in the `Syslog` table of Log Analytics. */
export const syslogTableFormat: ObjectFormat = {
  name: 'syslog_table',
  parse(object, reception) {
    const { SyslogMessage: message, ProcessName: program } = object;
    if (typeof message !== 'string') return undefined;
    return eventOf(object, reception, {
      time: readTime(object.EventTime) ?? readTime(object.TimeGenerated) ?? readMonthFirstTime(object.EventTime),
      host: textOf(object.HostName) || textOf(object.Computer),
      app: textOf(program),
      procId: textOf(object.ProcessID),
      severity: severityOf(object.SeverityLevel),
      message,
    });
  },
};

/** Entries of the systemd journal as JSON. */
export const journaldFormat: ObjectFormat = {
  name: 'journald',
  parse(object, reception) {
    const { __REALTIME_TIMESTAMP: time, SYSLOG_IDENTIFIER: program } = object;
    const message = journalText(object.MESSAGE);
    if (message === undefined || (time === undefined && object._HOSTNAME === undefined)) return undefined;
    return eventOf(object, reception, {
      time: readTime(object._SOURCE_REALTIME_TIMESTAMP) ?? readTime(time),
      host: textOf(object._HOSTNAME),
      app: textOf(program) || textOf(object._COMM),
      procId: textOf(object.SYSLOG_PID) || textOf(object._PID),
      severity: syslogSeverityOf(Number(object.PRIORITY)),
      message,
    });
  },
};

/** Text that is not UTF-8, or holds control characters, is a list of its bytes. */
function journalText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || !value.every(isByte)) return undefined;
  return cleanText(Buffer.from(value).toString('utf8'));
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}

type Line = {
  time: number | undefined;
  host: string;
  app: string;
  procId: string;
  severity: string;
  message: string;
};

function eventOf(object: JsonObject, reception: Reception, line: Line): ParsedEvent {
  const event = blankEvent(reception);
  setTime(event, line.time, reception);
  event.integration = 'syslog';
  event.severity = line.severity;
  event.host = line.host;
  event.message = line.message;
  // A copy: formats of text add to the fields, and the record is the caller's.
  event.fields = Object.fromEntries(Object.entries(object));
  const header: SyslogHeader = {
    facility: undefined,
    severity: undefined,
    time: line.time,
    host: line.host,
    app: line.app,
    procId: line.procId,
    msgId: '',
    structuredData: undefined,
    body: line.message,
    message: line.message,
  };
  const taken = takeMessage(event, header, { reception, hinted: undefined });
  if (taken !== undefined) return taken.event;
  nameProduct(event, header);
  return event;
}
