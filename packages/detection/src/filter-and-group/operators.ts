import type { Told } from '@airdeck/contracts/filled-text';
import type { CriterionOperator, FieldCriterion } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { expressionSize } from '@airdeck/domain/expression-size';
import { RE2JS } from 're2js';
import type { EventValues } from '../event-values.ts';
import { type IpRange, parseIpRange } from '../ip-range.ts';
import { beginningFor, isCheap, type Spending, searchedFor } from './policy-spending.ts';
import { compileWildcard, readPattern, searchesOf } from './wildcard.ts';

/** Whether one event fits. */
export type Predicate = (values: EventValues) => boolean;

/** Says what is wrong with the `value` of a criterion. */
export type Refused = Told;

type Context = {
  /** Those of the policy, to which the criterion adds its own. */
  readonly spending: Spending;
  /** Of `value_field`, where the criterion has one. */
  readonly otherSlot?: number | undefined;
};
type Compiler = (slot: number, criterion: FieldCriterion, context: Context) => Predicate | Refused;

type TextTest = (text: string) => boolean;

const MAX_REGEX_CHARS = 2000;
const MAX_REGEXES = 50;
const MAX_NUMBER_CHARS = 40;
/** Values of another field that a field is compared with. */
const MAX_OTHER_VALUES = 100;

/**
 * One compiler per operator of the contract. Text comparisons ignore case unless `case_sensitive`; a field that holds a
 * list fits when any of its elements does; a missing field fits nothing but `exists: false` and `empty`.
 */
export const operatorCompilers: Readonly<Record<CriterionOperator, Compiler>> = {
  equals: (slot, criterion, context) => {
    if (criterion.value_field !== undefined) return compareFields(slot, criterion, context);
    if (criterion.value === undefined || Array.isArray(criterion.value)) return refusal('POLICY_NEEDS_ONE_VALUE');
    return oneOf(slot, [criterion.value], criterion);
  },
  in: (slot, criterion) => {
    if (!Array.isArray(criterion.value) || criterion.value.length === 0) return refusal('POLICY_NEEDS_LIST');
    return oneOf(slot, criterion.value, criterion);
  },
  contains: partOf,
  startswith: partOf,
  endswith: partOf,
  wildcard: (slot, criterion, context) => {
    const patterns = textsIn(criterion);
    if (patterns === undefined) return refusal('POLICY_NEEDS_PATTERN');
    const pieces = patterns.map(readPattern);
    const searches = pieces.reduce((sum, one) => sum + searchesOf(one), 0);
    return searching(slot, pieces.map(compileWildcard), { criterion, searches, context });
  },
  regex: compileRegex,
  cidr: compileCidr,
  exists: (slot, criterion) => {
    if (criterion.value !== undefined && typeof criterion.value !== 'boolean') return refusal('POLICY_NEEDS_PRESENCE');
    const wanted = criterion.value ?? true;
    return (values) => values.has(slot) === wanted;
  },
  empty: (slot, criterion) => {
    if (criterion.value !== undefined) return refusal('POLICY_NEEDS_NO_VALUE');
    return (values) => !values.has(slot) || values.texts(slot).includes('');
  },
  gt: (slot, criterion) => compared(slot, criterion, (number, bound) => number > bound),
  gte: (slot, criterion) => compared(slot, criterion, (number, bound) => number >= bound),
  lt: (slot, criterion) => compared(slot, criterion, (number, bound) => number < bound),
  lte: (slot, criterion) => compared(slot, criterion, (number, bound) => number <= bound),
};

type TextOperator = 'equals' | 'contains' | 'startswith' | 'endswith';

const textComparisons: Readonly<Record<TextOperator, (text: string, other: string) => boolean>> = {
  equals: (text, other) => text === other,
  contains: (text, other) => text.includes(other),
  startswith: (text, other) => text.startsWith(other),
  endswith: (text, other) => text.endsWith(other),
};

function oneOf(
  slot: number,
  wanted: readonly (string | number | boolean)[],
  { case_sensitive: caseSensitive = false, match }: FieldCriterion,
): Predicate {
  const texts = wanted.map((value) => (caseSensitive ? String(value) : String(value).toLowerCase()));
  const read = reader(slot, caseSensitive);
  const only = texts[0];
  if (texts.length === 1 && only !== undefined) return (values) => read(values).includes(only);
  if (match === 'all') return (values) => texts.every((text) => read(values).includes(text));
  const set = new Set(texts);
  return (values) => {
    for (const text of read(values)) if (set.has(text)) return true;
    return false;
  };
}

function partOf(slot: number, criterion: FieldCriterion, context: Context): Predicate | Refused {
  if (criterion.value_field !== undefined) return compareFields(slot, criterion, context);
  const parts = textsIn(criterion);
  if (parts === undefined) return refusal('POLICY_NEEDS_ONE_TEXT');
  // An empty part would fit every event that has the field: that is what `exists` is for.
  if (parts.includes('')) return refusal('POLICY_NEEDS_TEXT');
  const operator = criterion.operator as TextOperator;
  const fits = textComparisons[operator];
  const tests =
    criterion.match === 'all' ? parts.map((part) => (text: string) => fits(text, part)) : [anyPart(operator, parts)];
  return searching(slot, tests, { criterion, searches: operator === 'contains' ? parts.length : 0, context });
}

/** From this many values on, looking a text's ends up is faster than trying value by value. */
const MANY_VALUES = 4;

function anyPart(operator: TextOperator, parts: readonly string[]): TextTest {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) {
    const fits = textComparisons[operator];
    return (text) => fits(text, only);
  }
  if (operator !== 'contains' && parts.length >= MANY_VALUES) return anyEnd(operator, parts);
  if (operator === 'startswith') return (text) => parts.some((part) => text.startsWith(part));
  if (operator === 'endswith') return (text) => parts.some((part) => text.endsWith(part));
  return (text) => {
    for (const part of parts) if (text.includes(part)) return true;
    return false;
  };
}

/** Values of one length are compared with that much of the text, all at once. */
function anyEnd(operator: TextOperator, parts: readonly string[]): TextTest {
  const byLength = new Map<number, Set<string>>();
  for (const part of parts) {
    const same = byLength.get(part.length);
    if (same === undefined) byLength.set(part.length, new Set([part]));
    else same.add(part);
  }
  const ends = [...byLength];
  return (text) => {
    for (const [length, same] of ends) {
      if (length > text.length) continue;
      if (same.has(operator === 'startswith' ? text.slice(0, length) : text.slice(text.length - length))) return true;
    }
    return false;
  };
}

/** The values in the case they are compared in; undefined when there is none, or one that is no text. */
function textsIn({ value, case_sensitive: caseSensitive = false }: FieldCriterion): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || list.some((one) => typeof one !== 'string' && typeof one !== 'number')) return undefined;
  return list.map((one) => (caseSensitive ? String(one) : String(one).toLowerCase()));
}

type Search = { readonly criterion: FieldCriterion; readonly searches: number; readonly context: Context };

/** Tests that look for so many texts inside of the field; what is only looked for at its ends is none. */
function searching(
  slot: number,
  tests: readonly TextTest[],
  { criterion, searches, context: { spending } }: Search,
): Predicate {
  spending.searches += searches;
  const read = reader(slot, criterion.case_sensitive ?? false);
  const fits = fittingTexts(tests, criterion);
  if (searches === 0) return (values) => fits(read(values));
  return (values) => {
    const all = read(values);
    if (isCheap(spending)) return fits(all);
    const { texts, work } = searchedFor(all, spending, searches);
    values.spend(work);
    return fits(texts);
  };
}

function fittingTexts(
  tests: readonly TextTest[],
  { match }: Pick<FieldCriterion, 'match'>,
): (texts: readonly string[]) => boolean {
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return (texts) => texts.some(only);
  if (match === 'all') return (texts) => tests.every((test) => texts.some(test));
  return (texts) => {
    for (const text of texts) for (const test of tests) if (test(text)) return true;
    return false;
  };
}

function reader(slot: number, caseSensitive: boolean): (values: EventValues) => readonly string[] {
  return caseSensitive ? (values) => values.texts(slot) : (values) => values.lowered(slot);
}

/** An empty other value says nothing about this one: it fits only where the two are equal. */
function compareFields(slot: number, criterion: FieldCriterion, { otherSlot, spending }: Context): Predicate | Refused {
  if (criterion.value !== undefined || otherSlot === undefined) return refusal('POLICY_NEEDS_VALUE_OR_FIELD');
  const operator = criterion.operator as TextOperator;
  const fits = textComparisons[operator];
  const read = reader(slot, criterion.case_sensitive ?? false);
  const readOther = reader(otherSlot, criterion.case_sensitive ?? false);
  spending.searches += MAX_OTHER_VALUES;
  return (values) => {
    const others = readOther(values);
    const compared = others.length > MAX_OTHER_VALUES ? others.slice(0, MAX_OTHER_VALUES) : others;
    const { texts, work } = searchedFor(read(values), spending, compared.length);
    values.spend(work);
    return compared.some((other) => (other !== '' || operator === 'equals') && texts.some((text) => fits(text, other)));
  };
}

/** Linear-time engine only: the expression comes from a user and runs on text an attacker chooses. */
function compileRegex(slot: number, criterion: FieldCriterion, { spending }: Context): Predicate | Refused {
  const written = Array.isArray(criterion.value) ? criterion.value : [criterion.value];
  if (written.length > MAX_REGEXES) return refusal('POLICY_REGEXES_TOO_MANY', { maximum: MAX_REGEXES });
  const tests: TextTest[] = [];
  let ownSize = 0;
  for (const expression of written) {
    if (typeof expression !== 'string' || expression === '') return refusal('POLICY_NEEDS_REGEX');
    if (expression.length > MAX_REGEX_CHARS) {
      return refusal('POLICY_REGEX_TOO_LONG', { maximum: MAX_REGEX_CHARS });
    }
    const size = expressionSize(expression);
    if (spending.size + size > spending.maximum) {
      return refusal('POLICY_REGEXES_TOO_LARGE', { size: spending.size + size, maximum: spending.maximum });
    }
    try {
      const pattern = RE2JS.compile(expression, criterion.case_sensitive === true ? 0 : RE2JS.CASE_INSENSITIVE);
      tests.push((text) => pattern.matcher(text).find());
    } catch (error) {
      return refusal('POLICY_REGEX_UNFIT', { problem: error instanceof Error ? error.message : expression });
    }
    spending.size += size;
    ownSize += size;
  }
  if (tests.length === 0) return refusal('POLICY_NEEDS_REGEX');
  const fits = fittingTexts(tests, criterion);
  return (values) => {
    // Always the text as it is: the expression itself says whether case counts.
    const { texts, work } = beginningFor(values.texts(slot), spending, ownSize);
    values.spend(work);
    return fits(texts);
  };
}

function compileCidr(slot: number, { value, match }: FieldCriterion): Predicate | Refused {
  const wanted = Array.isArray(value) ? value : [value];
  const ranges: IpRange[] = [];
  const bad: string[] = [];
  for (const text of wanted) {
    const range = typeof text === 'string' ? parseIpRange(text.trim()) : undefined;
    if (range === undefined) bad.push(String(text));
    else ranges.push(range);
  }
  if (bad.length > 0) return refusal('POLICY_NEEDS_ADDRESS_RANGES', { values: bad.join(', ') });
  if (ranges.length === 0) return refusal('POLICY_NEEDS_ADDRESS_RANGE');
  if (match === 'all') return (values) => ranges.every((holds) => values.addresses(slot).some(holds));
  return (values) => values.addresses(slot).some((address) => ranges.some((holds) => holds(address)));
}

function compared(
  slot: number,
  { value }: FieldCriterion,
  fits: (number: number, bound: number) => boolean,
): Predicate | Refused {
  const bound = typeof value === 'string' || typeof value === 'number' ? numberOf(String(value)) : undefined;
  if (bound === undefined) return refusal('POLICY_NEEDS_NUMBER');
  return (values) =>
    values.texts(slot).some((text) => {
      const number = numberOf(text);
      return number !== undefined && fits(number, bound);
    });
}

/** Plain decimal numbers only: JavaScript would also take an empty text for 0 and `0x10` for 16. */
function numberOf(text: string): number | undefined {
  if (text.length > MAX_NUMBER_CHARS || !/^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
