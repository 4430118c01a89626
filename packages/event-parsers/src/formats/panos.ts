import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime, takeFields } from '../blank-event.ts';
import { addressOf, outcomeOf, severityOf, snakeCase } from '../column-values.ts';
import { csvValues, namedValues } from '../csv-values.ts';
import { readTime } from '../event-time.ts';
import type { MessageFormat } from '../format.ts';
import { panosColumns } from './panos-columns.ts';

/** Actions and statuses whose words are PAN-OS's own. */
const outcomes: ReadonlyMap<string, string> = new Map([
  ['alert', 'success'],
  ['continue', 'success'],
  ['drop-icmp', 'failure'],
  ['drop-all', 'failure'],
  ['reset-both', 'failure'],
  ['reset-client', 'failure'],
  ['reset-server', 'failure'],
  ['block-url', 'failure'],
  ['block-ip', 'failure'],
  ['block-continue', 'failure'],
  ['block-override', 'failure'],
  ['sinkhole', 'failure'],
  ['unauthorized', 'failure'],
]);

/** Palo Alto PAN-OS CSV. The event type is the log's own: `traffic`, `threat`, `system`, `config`, `globalprotect`. */
export const panosFormat: MessageFormat = {
  name: 'panos',
  needs: ',',
  parse(event, { body }, reception) {
    const type = typeOf(body);
    const columns = type === undefined ? undefined : panosColumns.get(type);
    if (type === undefined || columns === undefined) return undefined;
    const fields = namedValues(columns, csvValues(body));
    setTime(event, readTime(fields.generated_time) ?? readTime(fields.receive_time), reception);
    event.integration = 'panos';
    event.event_type = snakeCase(type);
    event.severity = severityOf(fields.severity) || event.severity;
    event.host = fields.device_name ?? (event.host || (fields.serial_number ?? ''));
    fillColumns(event, fields);
    takeFields(event, fields);
    return event;
  },
};

function fillColumns(event: ParsedEvent, fields: Readonly<Record<string, string>>): void {
  const { action, status, result } = fields;
  event.user = fields.source_user ?? fields.admin ?? '';
  event.src_ip = addressOf(fields.source_address ?? fields.public_ip ?? fields.host);
  event.dst_ip = addressOf(fields.destination_address);
  event.action = snakeCase(action ?? fields.command ?? fields.event_id);
  const verdict = action ?? status ?? result ?? '';
  event.outcome = outcomes.get(verdict) ?? outcomeOf(verdict);
  const session = `${fields.type ?? ''} ${fields.subtype ?? ''} ${fields.application ?? ''}`.trim();
  event.message = fields.description ?? fields.threat_id ?? fields.configuration_path ?? session;
}

/** The fourth value, if the text begins like one of these logs: `1,2026/02/22 16:45:20,0006C110285,THREAT,…`. */
function typeOf(text: string): string | undefined {
  const first = text.charCodeAt(0);
  if (first < 48 || first > 57 || text.length < 30) return undefined;
  const start = text.slice(0, 120).split(',', 5);
  return start.length === 5 && (start[1] ?? '').charCodeAt(4) === 47 ? start[3] : undefined;
}
