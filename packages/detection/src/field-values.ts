import { eventColumns, type ParsedEvent } from '@airdeck/contracts/events/event';

/** Reads one field of an event: its leaf values, none when it is missing, several when the event holds a list. */
export type FieldReader = (event: ParsedEvent) => readonly unknown[];

const columns: ReadonlySet<string> = new Set(eventColumns);
const NOTHING: readonly unknown[] = [];

// Lists inside lists: deeper ones come from nobody's log, only from someone who wants the reader's stack to end.
const MAX_LIST_DEPTH = 8;

/**
 * Compiles a field name. Where the value is taken from, first hit wins:
 * 1. the event's column of that name, unless it is empty (the parser's "not in the original");
 * 2. the entry of `fields` with exactly that key;
 * 3. the entry of `fields` under the name as dotted path; lists on the way are searched in every element.
 *
 * Only own properties count, so `__proto__` and `constructor` are field names like others. Null is missing.
 */
export function compileField(name: string): FieldReader {
  const path = name.split('.');
  const fromFields: FieldReader = ({ fields }) => {
    if (Object.hasOwn(fields, name)) return leavesOf(fields[name]);
    return path.length === 1 ? NOTHING : atPath(fields, path);
  };
  if (!columns.has(name)) return fromFields;
  const column = name as (typeof eventColumns)[number];
  return (event) => {
    const value = event[column];
    return value === '' ? fromFields(event) : [value];
  };
}

/** Text that comparisons see: strings as they are, numbers and booleans spelt out; objects have none. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}

/** Texts of all leaf values of a field. */
export function textsOf(values: readonly unknown[]): string[] {
  const texts: string[] = [];
  for (const value of values) {
    const text = textOf(value);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

/**
 * The one text a field stands for where events are grouped or counted by it: the value itself, or the list of values as
 * JSON. Undefined when the field is missing or empty.
 */
export function identityOf(texts: readonly string[]): string | undefined {
  if (texts.length > 1) return JSON.stringify(texts);
  return texts[0] === '' ? undefined : texts[0];
}

function leavesOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return NOTHING;
  if (!Array.isArray(value)) return [value];
  const leaves: unknown[] = [];
  collectLeaves(value, leaves, 1);
  return leaves;
}

function collectLeaves(list: readonly unknown[], into: unknown[], depth: number): void {
  for (const element of list) {
    if (element === null || element === undefined) continue;
    if (!Array.isArray(element)) into.push(element);
    else if (depth < MAX_LIST_DEPTH) collectLeaves(element, into, depth + 1);
  }
}

function atPath(fields: Record<string, unknown>, path: readonly string[]): readonly unknown[] {
  let level: readonly unknown[] = [fields];
  for (const key of path) {
    const next: unknown[] = [];
    for (const holder of level) {
      if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) continue;
      for (const leaf of leavesOf((holder as Record<string, unknown>)[key])) next.push(leaf);
    }
    if (next.length === 0) return NOTHING;
    level = next;
  }
  return level;
}
