import { eventColumns, type ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { ANY_FIELD } from '@airdeck/contracts/policies/schema';
import { fieldHolderParents, fieldHolders, otherNames } from './field-names.ts';

/** Reads one field of an event: its leaf values, none when it is missing, several when the event holds a list. */
export type FieldReader = (event: ParsedEvent) => readonly unknown[];

type Fields = ParsedEvent['fields'];
type FieldsReader = (fields: Fields) => readonly unknown[];

const columns: ReadonlySet<string> = new Set(eventColumns);
const NOTHING: readonly unknown[] = [];
/** Before a name: the field of the original, where a column has that name too. */
const ORIGINAL_PREFIX = 'fields.';

// Lists inside lists: deeper ones come from nobody's log, only from someone who wants the reader's stack to end.
const MAX_LIST_DEPTH = 8;
const MAX_WALK_DEPTH = 16;
const MAX_WALK_VALUES = 5_000;

/**
 * Compiles a field name. Where the value is taken from, first hit wins:
 * 1. the event's column of that name, unless it is empty (the parser's "not in the original");
 * 2. the entry of `fields` with exactly that key;
 * 3. the entry of `fields` under the name as dotted path; lists on the way are searched in every element;
 * 4. the same field under its other names and in the records that Windows events keep it in (`field-names.ts`).
 *
 * `fields.x` is the original's `x` without step 1; `*` is every value of the event. Only own properties count, so
 * `__proto__` and `constructor` are field names like others. Null is missing.
 */
export function compileField(name: string): FieldReader {
  if (name === ANY_FIELD) return everyValue;
  const fromFields = compileOriginal(name);
  if (!columns.has(name)) return ({ fields }) => fromFields(fields);
  const column = name as (typeof eventColumns)[number];
  return (event) => {
    const value = event[column];
    return value === '' ? fromFields(event.fields) : [value];
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

function compileOriginal(name: string): FieldsReader {
  const own = compileOwn(name);
  const unprefixed = name.startsWith(ORIGINAL_PREFIX) ? name.slice(ORIGINAL_PREFIX.length) : '';
  if (unprefixed !== '') {
    const original = compileOwn(unprefixed);
    return firstOf([own, original]);
  }
  const others = (otherNames.get(name) ?? []).map(compileOwn);
  const held = name.includes('.') ? [] : [(fields: Fields) => inHolders(fields, name)];
  const heldOthers = (otherNames.get(name) ?? [])
    .filter((other) => !other.includes('.'))
    .map((other) => (fields: Fields) => inHolders(fields, other));
  return firstOf([own, ...others, ...held, ...heldOthers]);
}

function firstOf(readers: readonly FieldsReader[]): FieldsReader {
  return (fields) => {
    for (const read of readers) {
      const values = read(fields);
      if (values.length > 0) return values;
    }
    return NOTHING;
  };
}

function compileOwn(name: string): FieldsReader {
  const path = name.split('.');
  return (fields) => {
    if (Object.hasOwn(fields, name)) return leavesOf(fields[name]);
    return path.length === 1 ? NOTHING : atPath(fields, path);
  };
}

function inHolders(fields: Fields, name: string): readonly unknown[] {
  for (const path of fieldHolders) {
    const holder = recordAt(fields, path);
    if (holder !== undefined && Object.hasOwn(holder, name)) return leavesOf(holder[name]);
  }
  for (const path of fieldHolderParents) {
    const parent = recordAt(fields, path);
    for (const holder of parent === undefined ? [] : [parent, ...Object.values(parent)]) {
      if (isJsonObject(holder) && Object.hasOwn(holder, name)) return leavesOf(holder[name]);
    }
  }
  return NOTHING;
}

function recordAt(fields: Fields, path: readonly string[]): Record<string, unknown> | undefined {
  let level: unknown = fields;
  for (const key of path) {
    if (!isJsonObject(level) || !Object.hasOwn(level, key)) return undefined;
    level = level[key];
  }
  return isJsonObject(level) ? level : undefined;
}

/** All values of the original and the message; of an event that was a line of text, the line. */
function everyValue({ fields, message, raw }: ParsedEvent): readonly unknown[] {
  const values: unknown[] = message === '' ? [] : [message];
  collectEvery(fields, values, 0);
  // What was JSON is there value by value, without the escapes of its text.
  if (raw !== '' && raw !== message && !raw.startsWith('{')) values.push(raw);
  return values;
}

function collectEvery(value: unknown, into: unknown[], depth: number): void {
  if (into.length >= MAX_WALK_VALUES || value === null || value === undefined) return;
  if (typeof value !== 'object') into.push(value);
  else if (depth < MAX_WALK_DEPTH) for (const inner of Object.values(value)) collectEvery(inner, into, depth + 1);
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
