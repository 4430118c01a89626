import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, ObjectFormat } from '../format.ts';

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** Columns taken as they are; whoever writes them knows our names. */
const textColumns = ['severity', 'message', 'host', 'user', 'outcome'] as const;
const ownNames: ReadonlySet<string> = new Set([
  'time',
  'integration',
  'event_type',
  'src_ip',
  'dst_ip',
  'action',
  'fields',
  'raw',
  ...textColumns,
]);

/**
 * Records that already carry our columns, told by `integration` (a slug) and `event_type`. `fields` keeps the original
 * fields; what else the record holds is kept beside them. Ownership (tenant, source, ids) is never taken from a record.
 */
export const normalisedFormat: ObjectFormat = {
  name: 'normalised',
  parse(object, reception) {
    const { integration, event_type: eventType } = object;
    if (typeof integration !== 'string' || typeof eventType !== 'string' || !SLUG.test(integration)) return undefined;
    const event = blankEvent(reception);
    setTime(event, readTime(object.time), reception);
    event.integration = integration;
    event.event_type = snakeCase(eventType) || 'log';
    for (const column of textColumns) event[column] = textOf(object[column]);
    event.src_ip = addressOf(object.src_ip);
    event.dst_ip = addressOf(object.dst_ip);
    event.action = snakeCase(object.action);
    event.fields = fieldsOf(object);
    const original = object.raw;
    if (typeof original === 'string' && original !== '') event.raw = original;
    return event;
  },
};

function fieldsOf(object: JsonObject): ParsedEvent['fields'] {
  const { fields } = object;
  const extras = Object.entries(object).filter(([key]) => !ownNames.has(key));
  if (!isJsonObject(fields)) return Object.fromEntries(extras);
  return extras.length === 0 ? { ...fields } : { ...Object.fromEntries(extras), ...fields };
}
