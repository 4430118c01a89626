import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, outcomeOf, severityOf, snakeCase } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { LineFormat, MessageFormat, Reception } from '../format.ts';
import { parseKeyValues } from '../key-value.ts';

/** Actions of FortiOS whose words are its own. */
const outcomeByAction: ReadonlyMap<string, string> = new Map([
  ['close', 'success'],
  ['client-rst', 'success'],
  ['server-rst', 'success'],
  ['timeout', 'success'],
  ['passthrough', 'success'],
  ['clear_session', 'failure'],
  ['reset', 'failure'],
  ['quarantine', 'failure'],
]);

/** FortiOS key=value logs behind a syslog header. The event type is the log's own: `traffic`, `utm`, `event`. */
export const fortigateMessage: MessageFormat = {
  name: 'fortigate',
  parse: (event, header, reception) => fill(event, header.message, reception),
};

/** The same without a header, as file exports have it. */
export const fortigateLine: LineFormat = {
  name: 'fortigate',
  parse: (line, reception) => fill(blankEvent(reception), line, reception),
};

function fill(event: ParsedEvent, text: string, reception: Reception): ParsedEvent | undefined {
  if (!text.includes('devid=') && !text.includes('devname=')) return undefined;
  const pairs = parseKeyValues(text);
  const { type, action = '', status } = pairs;
  if (type === undefined || (pairs.logid === undefined && pairs.subtype === undefined)) return undefined;
  // FortiWeb and FortiMail write almost the same, with these names for their device and log ids.
  if (pairs.device_id !== undefined || pairs.log_id !== undefined) return undefined;
  setTime(event, timeOf(pairs), reception);
  event.integration = 'fortigate';
  event.event_type = snakeCase(type) || 'log';
  event.severity = severityOf(pairs.level) || event.severity;
  event.message = pairs.msg ?? pairs.logdesc ?? text;
  event.host = pairs.devname ?? pairs.devid ?? event.host;
  event.user = pairs.user ?? pairs.srcuser ?? pairs.unauthuser ?? '';
  event.src_ip = addressOf(pairs.srcip ?? pairs.remip);
  event.dst_ip = addressOf(pairs.dstip ?? pairs.locip);
  event.action = snakeCase(action);
  event.outcome = outcomeOf(status) || (outcomeByAction.get(action) ?? outcomeOf(action));
  event.fields = { ...event.fields, ...pairs };
  return event;
}

/** `eventtime` is exact and has no zone trouble; `date` and `time` are local to the device, whose zone `tz` may tell. */
function timeOf(pairs: Readonly<Record<string, string>>): number | undefined {
  const { eventtime, date, time, tz = '' } = pairs;
  const exact = readTime(eventtime);
  if (exact !== undefined) return exact;
  if (time === undefined) return undefined;
  // Some exports write the date again in front of the time.
  return readTime(`${time.includes(' ') ? time : `${date} ${time}`}${tz}`);
}
