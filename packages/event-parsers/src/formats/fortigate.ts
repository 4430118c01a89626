import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, severityOf, snakeCase } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat, Reception } from '../format.ts';
import { parseKeyValues } from '../key-value.ts';
import { deviceTime } from './device-time.ts';

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
  ['ssl-login-fail', 'failure'],
  ['ssl-web-deny', 'failure'],
  ['ssl-web-pass', 'success'],
  ['tunnel-up', 'success'],
]);

/** FortiOS key=value logs, and what FortiWeb and FortiMail write alike. The event type is the log's own: `traffic`, `utm`. */
export const fortigateFormat: MessageFormat = {
  name: 'fortigate',
  needs: '=',
  parse: (event, header, reception) => fill(event, header.body, reception),
};

function fill(event: ParsedEvent, text: string, reception: Reception): ParsedEvent | undefined {
  if (!text.includes('devid=') && !text.includes('devname=') && !text.includes('device_id=F')) return undefined;
  const pairs = parseKeyValues(text);
  const { type, action = '', status } = pairs;
  if (type === undefined || (pairs.logid ?? pairs.log_id ?? pairs.subtype) === undefined) return undefined;
  // Exact, and without trouble of zones.
  setTime(event, readTime(pairs.eventtime) ?? deviceTime(pairs), reception);
  event.integration = productOf(pairs);
  event.event_type = snakeCase(type) || 'log';
  event.severity = severityOf(attackSeverity(pairs)) || severityOf(pairs.level ?? pairs.pri) || event.severity;
  event.message = pairs.msg ?? pairs.logdesc ?? text;
  event.host = pairs.devname ?? pairs.devid ?? (event.host || (pairs.device_id ?? ''));
  event.user = pairs.user ?? pairs.srcuser ?? pairs.unauthuser ?? '';
  event.src_ip = addressOf(pairs.srcip ?? pairs.remip ?? pairs.src ?? pairs.client_ip);
  event.dst_ip = addressOf(pairs.dstip ?? pairs.locip ?? pairs.dst ?? pairs.dst_ip);
  event.action = snakeCase(action);
  event.outcome = outcomeOf(status) || (outcomeByAction.get(action) ?? outcomeOf(action));
  takeFields(event, pairs);
  return event;
}

/** Of an attack; its `level` is `alert` whatever was seen. */
function attackSeverity({ type, subtype, severity }: Readonly<Record<string, string>>): string | undefined {
  return type === 'utm' && (subtype === 'ips' || subtype === 'anomaly') ? severity : undefined;
}

/** FortiWeb and FortiMail have other names for device and log id; the device id says which it is. */
function productOf({ device_id: device, log_id: log }: Readonly<Record<string, string>>): string {
  if (device === undefined && log === undefined) return 'fortigate';
  if (device?.startsWith('FE') === true) return 'fortimail';
  return device?.startsWith('FV') === true ? 'fortiweb' : 'fortinet';
}
