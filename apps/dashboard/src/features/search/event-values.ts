import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { textsOfLeaves, valuesAt } from '@airdeck/query-language/event-values';
import { nameOfPath, targetOf } from '@airdeck/query-language/field-name';

/** Columns of ours under the names queries use, which begin with `_`. */
const ownColumns = { id: 'id', source: 'source_id', connector_id: 'connector_id', received_at: 'received_at' } as const;

/** Values of an event under the name a query uses; a column that is empty has none. */
export function valuesOfEvent(event: FoundEvent, name: string): string[] {
  const target = targetOf(name);
  if (target.kind === 'path') return textsOfLeaves(valuesAt(event.fields, target.path));
  const { column } = target.column;
  const value = column in ownColumns ? event[ownColumns[column as keyof typeof ownColumns]] : event[column as 'host'];
  return value === null || value === '' ? [] : [value];
}

export type NamedValue = { readonly name: string; readonly values: readonly string[] };

/** Columns every event has, in the order a detail shows them; `message` and `raw` stand apart. */
const shownColumns = [
  'time',
  'integration',
  'event_type',
  'severity',
  'action',
  'outcome',
  'host',
  'user',
  'src_ip',
  'dst_ip',
  '_received_at',
  '_connector_id',
  '_source_id',
  '_id',
] as const;

export function columnValues(event: FoundEvent): NamedValue[] {
  return shownColumns
    .map((name) => ({ name, values: valuesOfEvent(event, name) }))
    .filter(({ values }) => values.length > 0);
}

const MOST_FIELDS = 500;
const MOST_DEPTH = 8;

/** Original fields by the names queries use, with every single value; objects inside lists count as one name. */
export function fieldValues({ fields }: FoundEvent): NamedValue[] {
  const found = new Map<string, string[]>();
  const visit = (value: unknown, path: readonly string[]): void => {
    if (found.size >= MOST_FIELDS || path.length > MOST_DEPTH) return;
    if (Array.isArray(value)) {
      for (const each of value) visit(each, path);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) visit(each, [...path, key]);
    } else if (value !== null && value !== undefined && path.length > 0) {
      const name = nameOfPath(path.join('.'));
      found.set(name, [...(found.get(name) ?? []), ...textsOfLeaves([value])]);
    }
  };
  visit(fields, []);
  return [...found].map(([name, values]) => ({ name, values })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
