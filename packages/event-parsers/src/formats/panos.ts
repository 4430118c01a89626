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
  ['auth-fail', 'failure'],
  ['auth-success', 'success'],
]);

const HIGH_RESOLUTION = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
/** From the log's generation to the time it was taken in. */
const CLOCKS_APART_MS = 60_000;

/** Palo Alto PAN-OS CSV. The event type is the log's own: `traffic`, `threat`, `system`, `config`, `globalprotect`. */
export const panosFormat: MessageFormat = {
  name: 'panos',
  needs: ',',
  parse(event, { body }, reception) {
    const type = typeOf(body);
    const columns = type === undefined ? undefined : panosColumns.get(type);
    if (type === undefined || columns === undefined) return undefined;
    const values = csvValues(body);
    const fields = namedValues(columns, values);
    setTime(event, timeOf(fields, values.slice(columns.length)), reception);
    event.integration = 'panos';
    event.event_type = snakeCase(type);
    event.severity = severityOf(fields.severity) || event.severity;
    event.host = fields.device_name ?? (event.host || (fields.serial_number ?? ''));
    fillColumns(event, fields);
    takeFields(event, fields);
    return event;
  },
};

/** `unnamed` are the values behind the named columns. */
function timeOf(fields: Readonly<Record<string, string>>, unnamed: readonly string[]): number | undefined {
  const { generated_time: generated, receive_time: received } = fields;
  const clocks = [readTime(generated), readTime(received)].filter((time) => time !== undefined);
  // Strata's own times have their zone.
  return (generated?.endsWith('Z') === true ? undefined : highResolutionTime(unnamed, clocks)) ?? clocks[0];
}

/**
 * The one time with a zone, of PAN-OS 10 and later. Its place differs by type and version, so it is told by its form, behind
 * the columns that hold URLs and user agents. What a proxy forwarded stands there as well: so it must show the log's own
 * clock, and nothing else may.
 */
function highResolutionTime(unnamed: readonly string[], clocks: readonly number[]): number | undefined {
  let only: number | undefined;
  for (const value of unnamed) {
    const local = readTime(HIGH_RESOLUTION.exec(value)?.[1]);
    if (local === undefined || !clocks.some((clock) => Math.abs(clock - local) <= CLOCKS_APART_MS)) continue;
    const time = readTime(value);
    if (only !== undefined && only !== time) return undefined;
    only = time;
  }
  return only;
}

function fillColumns(event: ParsedEvent, fields: Readonly<Record<string, string>>): void {
  const { action, status, result, event_id: eventId } = fields;
  event.user = fields.source_user ?? fields.admin ?? '';
  event.src_ip = addressOf(fields.source_address ?? fields.public_ip ?? fields.host);
  event.dst_ip = addressOf(fields.destination_address);
  // The event id of User-ID is a number; its subtype says what was done.
  event.action = snakeCase(action ?? fields.command ?? (fields.type === 'USERID' ? fields.subtype : eventId));
  const verdict = action ?? status ?? result ?? eventId ?? '';
  event.outcome = outcomes.get(verdict.toLowerCase()) ?? outcomeOf(verdict);
  if (eventId === 'auth-fail' || eventId === 'auth-success') fillSignIn(event, fields.description ?? '');
  const session = `${fields.type ?? ''} ${fields.subtype ?? ''} ${fields.application ?? ''}`.trim();
  event.message = fields.description ?? fields.threat_id ?? fields.configuration_path ?? session;
}

/**
 * `failed authentication for user 'ana'.  Reason: … From: 203.0.113.9.` The name is what somebody typed, so the address is the
 * one at the end.
 */
function fillSignIn(event: ParsedEvent, description: string): void {
  const name = description.indexOf("user '");
  const nameEnd = description.indexOf("'.", name);
  if (name !== -1 && nameEnd !== -1) event.user ||= description.slice(name + 6, nameEnd);
  const from = description.lastIndexOf('From: ');
  if (from === -1) return;
  const [address = ''] = description.slice(from + 6).split(' ', 1);
  event.src_ip ||= addressOf(address.endsWith('.') ? address.slice(0, -1) : address);
}

/**
 * The fourth value, if the text begins like one of these logs: `1,2026/02/22 16:45:20,0006C110285,THREAT,…`. Strata Logging
 * Service writes `2026-02-22T16:45:20.000000Z`.
 */
function typeOf(text: string): string | undefined {
  const first = text.charCodeAt(0);
  if (first < 48 || first > 57 || text.length < 30) return undefined;
  const start = text.slice(0, 120).split(',', 5);
  const sign = (start[1] ?? '').charCodeAt(4);
  return start.length === 5 && (sign === 47 || sign === 45) ? start[3] : undefined;
}
