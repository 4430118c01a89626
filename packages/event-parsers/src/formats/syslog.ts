import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { blankEvent, setTime } from '../blank-event.ts';
import { syslogSeverityOf } from '../column-values.ts';
import type { EnvelopeFormat, MessageFormat, Reception, Recognised, SyslogHeader } from '../format.ts';
import { messageFormats } from './message-formats.ts';
import { nameProduct } from './syslog-products.ts';

type Candidate = { readonly format: MessageFormat; readonly needs: string; readonly bit: number };

let known: readonly Candidate[] | undefined;

/** Made when first asked: records hold text and text holds records, so the modules of both import each other. */
function candidates(): readonly Candidate[] {
  if (known !== undefined) return known;
  const neededTexts = [...new Set(messageFormats.flatMap(({ needs }) => needs ?? []))];
  known = messageFormats.map((format) => ({
    format,
    needs: format.needs ?? '',
    bit: format.needs === undefined ? 0 : 1 << neededTexts.indexOf(format.needs),
  }));
  return known;
}

/** The event of a line with a header: what the header says, and what the format of the text behind it adds. */
export function eventBehind(
  envelope: EnvelopeFormat,
  header: SyslogHeader,
  options: { reception: Reception; hinted: MessageFormat | undefined },
): Recognised {
  const event = blankEvent(options.reception);
  setTime(event, header.time, options.reception);
  event.integration = 'syslog';
  event.severity = syslogSeverityOf(header.severity);
  event.message = header.message;
  event.host = header.host;
  event.fields = fieldsOf(header);
  const taken = takeMessage(event, header, options);
  if (taken !== undefined) return { format: taken.format, envelope: envelope.name, event: taken.event };
  nameProduct(event, header);
  return { format: envelope.name, event };
}

/** The event of a line of its own; undefined when no format takes it. */
export function eventOfBareLine(
  line: string,
  options: { reception: Reception; hinted: MessageFormat | undefined },
): Recognised | undefined {
  return takeMessage(blankEvent(options.reception), bareHeader(line), options);
}

/** The event with what the format of the text adds; undefined when no format takes it. */
export function takeMessage(
  event: ParsedEvent,
  header: SyslogHeader,
  { reception, hinted }: { reception: Reception; hinted: MessageFormat | undefined },
): Recognised | undefined {
  const expected = hinted?.parse(event, header, reception);
  if (hinted !== undefined && expected !== undefined) return { format: hinted.name, event: expected };
  // Which needed texts were looked for, and which are there, as bits: formats share them.
  let asked = 0;
  let there = 0;
  for (const { format, needs, bit } of candidates()) {
    if ((asked & bit) === 0) {
      asked |= bit;
      if (header.body.includes(needs)) there |= bit;
    }
    if (bit !== 0 && (there & bit) === 0) continue;
    const parsed = format.parse(event, header, reception);
    if (parsed !== undefined) return { format: format.name, event: parsed };
  }
  return undefined;
}

function bareHeader(line: string): SyslogHeader {
  return {
    facility: undefined,
    severity: undefined,
    time: undefined,
    host: '',
    app: '',
    procId: '',
    msgId: '',
    structuredData: undefined,
    body: line,
    message: line,
  };
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
