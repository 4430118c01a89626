import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, outcomeOf, severityOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { JsonObject, Reception } from '../format.ts';
import { type ColumnName, type NamedColumn, nestedNames, topLevelNames } from './column-names.ts';

/** JSON of an unknown product: columns by well-known field names, every field kept as it is. */
export const genericJsonFormat = {
  name: 'json',
  parse(object: JsonObject, reception: Reception): ParsedEvent {
    const event = blankEvent(reception);
    const best: Partial<Record<NamedColumn, number>> = {};
    for (const key of Object.keys(object)) {
      const value = object[key];
      const name = topLevelNames.get(key);
      if (name !== undefined) offer({ event, best, name, value, reception });
      const inside = nestedNames.get(key);
      if (inside !== undefined && isJsonObject(value)) {
        for (const [inner, innerName] of inside) {
          if (Object.hasOwn(value, inner)) offer({ event, best, name: innerName, value: value[inner], reception });
        }
      }
    }
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

type Offer = {
  event: ParsedEvent;
  /** Rank of the name each column was filled from so far. */
  best: Partial<Record<NamedColumn, number>>;
  name: ColumnName;
  value: unknown;
  reception: Reception;
};

/** Fills the column, unless a better name already did or the value means nothing there. */
function offer({ event, best, name: { column, rank }, value, reception }: Offer): void {
  if (rank > (best[column] ?? Number.POSITIVE_INFINITY)) return;
  if (column === 'time') {
    setTime(event, readTime(value), reception);
    if (event.time_source === 'event') best.time = rank;
    return;
  }
  const text = columnText(column, value);
  if (text === '') return;
  event[column] = text;
  best[column] = rank;
}

function columnText(column: Exclude<NamedColumn, 'time'>, value: unknown): string {
  switch (column) {
    case 'severity':
      return severityOf(value);
    case 'outcome':
      return outcomeOf(value);
    case 'src_ip':
    case 'dst_ip':
      return addressOf(value);
    case 'action':
    case 'event_type':
      return snakeCase(value);
    case 'message':
    case 'host':
    case 'user':
      return textOf(value);
  }
}
