import type { CriterionOperator, FieldCriterion } from '@airdeck/contracts/policies/schema';
import { RE2JS } from 're2js';
import type { EventValues } from '../event-values.ts';
import { type IpRange, parseIpRange } from '../ip-range.ts';

/** Whether one event fits. */
export type Predicate = (values: EventValues) => boolean;

/** Says what is wrong with the `value` of a criterion. */
export type Refused = { readonly problem: string };

type Compiler = (slot: number, criterion: FieldCriterion) => Predicate | Refused;

const MAX_REGEX_CHARS = 2000;
const MAX_NUMBER_CHARS = 40;

/**
 * One compiler per operator of the contract. Text comparisons ignore case unless `case_sensitive`; a field that holds a
 * list fits when any of its elements does; a missing field fits nothing but `exists: false`.
 */
export const operatorCompilers: Readonly<Record<CriterionOperator, Compiler>> = {
  equals: (slot, criterion) => {
    if (criterion.value === undefined || Array.isArray(criterion.value)) return needs('one value');
    return oneOf(slot, [criterion.value], criterion.case_sensitive);
  },
  in: (slot, criterion) => {
    if (!Array.isArray(criterion.value) || criterion.value.length === 0) return needs('a list with at least one value');
    return oneOf(slot, criterion.value, criterion.case_sensitive);
  },
  contains: (slot, criterion) => partOf(slot, criterion, (text, part) => text.includes(part)),
  startswith: (slot, criterion) => partOf(slot, criterion, (text, part) => text.startsWith(part)),
  endswith: (slot, criterion) => partOf(slot, criterion, (text, part) => text.endsWith(part)),
  regex: compileRegex,
  cidr: compileCidr,
  exists: (slot, criterion) => {
    if (criterion.value !== undefined && typeof criterion.value !== 'boolean') return needs('true, false or no value');
    const wanted = criterion.value ?? true;
    return (values) => values.has(slot) === wanted;
  },
  gt: (slot, criterion) => compared(slot, criterion, (number, bound) => number > bound),
  gte: (slot, criterion) => compared(slot, criterion, (number, bound) => number >= bound),
  lt: (slot, criterion) => compared(slot, criterion, (number, bound) => number < bound),
  lte: (slot, criterion) => compared(slot, criterion, (number, bound) => number <= bound),
};

function oneOf(slot: number, wanted: readonly (string | number | boolean)[], caseSensitive = false): Predicate {
  const texts = wanted.map((value) => (caseSensitive ? String(value) : String(value).toLowerCase()));
  const only = texts[0];
  if (texts.length === 1 && only !== undefined) {
    return caseSensitive
      ? (values) => values.texts(slot).includes(only)
      : (values) => values.lowered(slot).includes(only);
  }
  const set = new Set(texts);
  const read = caseSensitive
    ? (values: EventValues) => values.texts(slot)
    : (values: EventValues) => values.lowered(slot);
  return (values) => read(values).some((text) => set.has(text));
}

function partOf(
  slot: number,
  { value, case_sensitive: caseSensitive = false }: FieldCriterion,
  fits: (text: string, part: string) => boolean,
): Predicate | Refused {
  if (typeof value !== 'string' && typeof value !== 'number') return needs('one text');
  // An empty part would fit every event that has the field: that is what `exists` is for.
  if (value === '') return needs('a text that is not empty');
  const part = caseSensitive ? String(value) : String(value).toLowerCase();
  return caseSensitive
    ? (values) => values.texts(slot).some((text) => fits(text, part))
    : (values) => values.lowered(slot).some((text) => fits(text, part));
}

/** Linear-time engine only: the expression comes from a user and runs on text an attacker chooses. */
function compileRegex(slot: number, criterion: FieldCriterion): Predicate | Refused {
  const { value } = criterion;
  if (typeof value !== 'string' || value === '') return needs('a regular expression');
  if (value.length > MAX_REGEX_CHARS) return needs(`a regular expression of at most ${MAX_REGEX_CHARS} characters`);
  try {
    const pattern = RE2JS.compile(value, criterion.case_sensitive === true ? 0 : RE2JS.CASE_INSENSITIVE);
    return (values) => values.texts(slot).some((text) => pattern.matcher(text).find());
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it does not compile';
    return { problem: `Not a regular expression this product runs (RE2 syntax): ${reason}` };
  }
}

function compileCidr(slot: number, { value }: FieldCriterion): Predicate | Refused {
  const wanted = Array.isArray(value) ? value : [value];
  const ranges: IpRange[] = [];
  const bad: string[] = [];
  for (const text of wanted) {
    const range = typeof text === 'string' ? parseIpRange(text.trim()) : undefined;
    if (range === undefined) bad.push(String(text));
    else ranges.push(range);
  }
  if (bad.length > 0 || ranges.length === 0) return needs(`address ranges such as 192.0.2.0/24, not ${bad.join(', ')}`);
  return (values) => values.addresses(slot).some((address) => ranges.some((holds) => holds(address)));
}

function compared(
  slot: number,
  { value }: FieldCriterion,
  fits: (number: number, bound: number) => boolean,
): Predicate | Refused {
  const bound = typeof value === 'string' || typeof value === 'number' ? numberOf(String(value)) : undefined;
  if (bound === undefined) return needs('a number');
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

function needs(what: string): Refused {
  return { problem: `This operator needs ${what}.` };
}
