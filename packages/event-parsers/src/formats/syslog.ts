import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { blankEvent, setTime } from '../blank-event.ts';
import { syslogSeverityOf } from '../column-values.ts';
import type { LineFormat, MessageFormat, Reception, SyslogHeader } from '../format.ts';
import { fortigateMessage } from './fortigate.ts';
import { jsonMessage } from './json-message.ts';
import { readRfc3164 } from './rfc3164.ts';
import { readRfc5424 } from './rfc5424.ts';
import { sshdFormat } from './sshd.ts';

/** What is known of single programs behind a syslog header, in the order asked. */
const messageFormats: readonly MessageFormat[] = [sshdFormat, fortigateMessage, jsonMessage];

export const rfc5424Format: LineFormat = {
  name: 'rfc5424',
  parse(line, reception) {
    const header = readRfc5424(line);
    return header && eventOf(header, reception);
  },
};

export const rfc3164Format: LineFormat = {
  name: 'rfc3164',
  parse(line, reception) {
    const header = readRfc3164(line, reception.receivedAt);
    return header && eventOf(header, reception);
  },
};

function eventOf(header: SyslogHeader, reception: Reception): ParsedEvent {
  const event = blankEvent(reception);
  setTime(event, header.time, reception);
  event.integration = 'syslog';
  event.severity = syslogSeverityOf(header.severity);
  event.message = header.message;
  event.host = header.host;
  event.fields = fieldsOf(header);
  for (const format of messageFormats) {
    const parsed = format.parse(event, header, reception);
    if (parsed !== undefined) return parsed;
  }
  return event;
}

/** Only what the line really said. */
function fieldsOf(header: SyslogHeader): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  if (header.facility !== undefined) fields.syslog_facility = header.facility;
  if (header.severity !== undefined) fields.syslog_severity = header.severity;
  if (header.app !== '') fields.app_name = header.app;
  if (header.procId !== '') fields.proc_id = header.procId;
  if (header.msgId !== '') fields.msg_id = header.msgId;
  if (header.structuredData !== undefined) fields.structured_data = header.structuredData;
  return fields;
}
