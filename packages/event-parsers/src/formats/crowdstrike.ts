import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, severityOf, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat } from '../format.ts';

/** CrowdStrike Falcon alerts, as the alerts API answers them. */
export const crowdstrikeFormat: ObjectFormat = {
  name: 'crowdstrike',
  parse(object, reception) {
    const { composite_id: id, cid, device } = object;
    if (typeof id !== 'string' || typeof cid !== 'string') return undefined;
    const event = blankEvent(reception);
    const host: JsonObject = isJsonObject(device) ? device : {};
    setTime(event, readTime(object.updated_timestamp ?? object.timestamp ?? object.created_timestamp), reception);
    event.integration = 'crowdstrike';
    event.event_type = 'alert';
    event.action = 'alert';
    event.severity = severityOf(object.severity_name) || hundredPointSeverity(object.severity);
    event.message = textOf(object.description) || textOf(object.display_name) || textOf(object.name);
    event.host = textOf(host.hostname) || textOf(object.source_host_name);
    event.user = textOf(object.user_name) || textOf(object.user_principal) || textOf(object.source_account_name);
    event.src_ip = addressOf(object.source_endpoint_address_ip4) || addressOf(host.local_ip);
    event.dst_ip = addressOf(object.target_endpoint_address_ip4);
    event.outcome = isJsonObject(object.pattern_disposition_details)
      ? dispositionOf(object.pattern_disposition_details)
      : '';
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

/** Falcon counts from 0 to 100. */
function hundredPointSeverity(value: unknown): string {
  if (typeof value !== 'number') return '';
  if (value >= 80) return 'critical';
  if (value >= 60) return 'high';
  if (value >= 40) return 'medium';
  return value >= 20 ? 'low' : 'info';
}

/** What the sensor stopped did not succeed. */
function dispositionOf(details: JsonObject): string {
  const stopped = details.process_blocked === true || details.kill_process === true || details.quarantine_file === true;
  return stopped ? 'failure' : '';
}
