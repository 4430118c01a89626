import type { Criterion, CriterionOperator, FieldCriterion } from '@airdeck/contracts/policies/schema';
import { type PatternPiece, readPattern, writePattern } from '../filter-and-group/wildcard.ts';
import { allOf, anyOf, chunksOf, notOf } from './criterion-tree.ts';
import { encodingsOf, isEncoding } from './sigma-encodings.ts';
import { type Modifiers, readModifiers } from './sigma-modifiers.ts';
import { failed, skipped } from './sigma-problem.ts';
import type { PlainValue } from './sigma-yaml.ts';

/** What names stand for in `%name%`, of rules with the modifier `expand`. */
export type Placeholders = Readonly<Record<string, readonly string[]>>;

export type ValueContext = {
  readonly placeholders: Placeholders;
  /** Our name of a field of the rule's log source. */
  readonly fieldOf: (name: string) => string;
};

type Scalar = string | number | boolean | null;
/** The ways one value of the rule can stand in the event: any of them is that value. */
type Spellings = readonly Criterion[];

const MAX_VALUES = 1_000;
/** Options of one value that are written in every form, the first ones: each of them makes five values of one. */
const DASHES_VARIED = 3;
const MAX_VALUE_CHARS = 4_096;
/** What Windows programs take for a dash before an option. */
const DASHES = ['-', '/', '–', '—', '―'];

/** One `field|modifier|…: value` as criterion. An empty field means the whole event. Throws `SigmaProblem`. */
export function fieldCriterion(key: string, value: PlainValue, context: ValueContext): Criterion {
  const [name = '', ...words] = key.split('|');
  const modifiers = readModifiers(words);
  const field = name === '' ? '*' : context.fieldOf(name);
  const values = scalarsOf(value, key);
  if (modifiers.fieldRef) return referring(field, values, modifiers, context);
  const spellings = values.map((one) => spellingsOf({ field, value: one, keyword: name === '', modifiers, context }));
  const criterion = modifiers.all ? allOf(spellings.map((one) => merged(one, 'any'))) : merged(spellings.flat(), 'any');
  const whole = modifiers.all && 'all' in criterion ? merged(criterion.all, 'all') : criterion;
  return modifiers.negated ? notOf(whole) : whole;
}

function scalarsOf(value: PlainValue, key: string): Scalar[] {
  const list: readonly PlainValue[] = Array.isArray(value) ? value : [value as PlainValue];
  if (list.length === 0) throw failed(`"${key}" has an empty list of values.`);
  return list.map((one) => {
    if (typeof one === 'object' && one !== null) throw failed(`"${key}" has a value that is neither text nor number.`);
    if (typeof one === 'string' && one.length > MAX_VALUE_CHARS) {
      throw failed(`"${key}" has a value of more than ${MAX_VALUE_CHARS} characters.`);
    }
    return one;
  });
}

type OneValue = {
  readonly field: string;
  readonly value: Scalar;
  readonly keyword: boolean;
  readonly modifiers: Modifiers;
  readonly context: ValueContext;
};

function spellingsOf({ field, value, keyword, modifiers, context }: OneValue): Spellings {
  const { comparison, cased, encodings } = modifiers;
  const caseSensitive = cased ? { case_sensitive: true } : {};
  if (value === null) {
    if (keyword) throw failed('A keyword cannot be null.');
    return [{ field, operator: 'empty' }];
  }
  switch (comparison) {
    case 'exists':
      if (typeof value !== 'boolean') throw failed('"exists" takes true or false.');
      return [{ field, operator: 'exists', value }];
    case 're':
      return [expressionOf(field, String(value), modifiers)];
    case 'cidr':
      return [{ field, operator: 'cidr', value: String(value) }];
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      if (typeof value === 'boolean') throw failed(`"${comparison}" takes a number.`);
      return [{ field, operator: comparison, value }];
    default: {
      const texts = modifiers.expand ? expanded(String(value), context.placeholders) : [String(value)];
      const patterns = texts.flatMap((text) => (modifiers.windash ? dashed(text) : [text])).map(readPattern);
      const encoded = encodings.some(isEncoding) ? patterns.flatMap((one) => encodedOf(one, modifiers)) : patterns;
      const where = keyword && comparison === 'equals' ? 'contains' : comparison;
      return encoded.map((pieces) => ({ ...textCriterion(field, pieces, where), ...caseSensitive }));
    }
  }
}

function expressionOf(field: string, expression: string, { flags }: Modifiers): FieldCriterion {
  const inline = flags.filter((flag) => flag !== 'i').join('');
  return {
    field,
    operator: 'regex',
    value: inline === '' ? expression : `(?${inline})${expression}`,
    ...(flags.includes('i') ? {} : { case_sensitive: true }),
  };
}

/** The plainest operator that says what the pattern says. */
function textCriterion(
  field: string,
  pieces: readonly PatternPiece[],
  where: 'equals' | 'contains' | 'startswith' | 'endswith',
): FieldCriterion {
  const open = where === 'contains' || where === 'endswith';
  const openEnd = where === 'contains' || where === 'startswith';
  const anyBefore = open || pieces[0] === 'any';
  const anyAfter = openEnd || pieces.at(-1) === 'any';
  const inner = pieces.slice(
    pieces[0] === 'any' ? 1 : 0,
    pieces.length > 1 && pieces.at(-1) === 'any' ? -1 : undefined,
  );
  const [only, ...more] = inner;
  if (only === undefined) {
    return anyBefore || anyAfter ? { field, operator: 'exists' } : { field, operator: 'equals', value: '' };
  }
  if (more.length === 0 && typeof only !== 'string')
    return { field, operator: operatorOf(anyBefore, anyAfter), value: only.text };
  const whole: PatternPiece[] = [
    ...(anyBefore ? ['any' as const] : []),
    ...inner,
    ...(anyAfter ? ['any' as const] : []),
  ];
  return { field, operator: 'wildcard', value: writePattern(whole) };
}

function operatorOf(anyBefore: boolean, anyAfter: boolean): CriterionOperator {
  if (anyBefore) return anyAfter ? 'contains' : 'endswith';
  return anyAfter ? 'startswith' : 'equals';
}

/** Values of one operator become one criterion with a list. */
function merged(criteria: readonly Criterion[], kind: 'any' | 'all'): Criterion {
  const byOperator = new Map<string, FieldCriterion[]>();
  const others: Criterion[] = [];
  for (const one of criteria) {
    const key = 'operator' in one && canJoin(one) ? `${one.operator} ${one.case_sensitive}` : undefined;
    if (key === undefined) others.push(one);
    else byOperator.set(key, [...(byOperator.get(key) ?? []), one as FieldCriterion]);
  }
  const lists = [...byOperator.values()].flatMap((same) =>
    chunksOf(same, MAX_VALUES).map((part) => listOf(part, kind)),
  );
  return kind === 'any' ? anyOf([...lists, ...others]) : allOf([...lists, ...others]);
}

const joinable: ReadonlySet<CriterionOperator> = new Set([
  'equals',
  'contains',
  'startswith',
  'endswith',
  'wildcard',
  'cidr',
]);

function canJoin({ operator, value, match }: FieldCriterion): boolean {
  return joinable.has(operator) && !Array.isArray(value) && match === undefined;
}

function listOf(same: readonly FieldCriterion[], kind: 'any' | 'all'): Criterion {
  const [first] = same;
  const values = [...new Set(same.map(({ value }) => String(value)))];
  const [only] = values;
  if (first === undefined || only === undefined) throw failed('A list of values is empty.');
  if (values.length === 1) return { ...first, value: only };
  const operator = first.operator === 'equals' ? 'in' : first.operator;
  return { ...first, operator, value: values, ...(kind === 'all' ? { match: kind } : {}) };
}

function referring(field: string, values: readonly Scalar[], modifiers: Modifiers, context: ValueContext): Criterion {
  const { comparison, cased } = modifiers;
  if (!['equals', 'contains', 'startswith', 'endswith'].includes(comparison)) {
    throw failed('"fieldref" goes with contains, startswith, endswith or nothing.');
  }
  const criteria = values.map((value): Criterion => {
    if (typeof value !== 'string' || value === '') throw failed('"fieldref" takes the name of a field.');
    const operator = comparison as CriterionOperator;
    return { field, operator, value_field: context.fieldOf(value), ...(cased ? { case_sensitive: true } : {}) };
  });
  const joined = modifiers.all ? allOf(criteria) : anyOf(criteria);
  return modifiers.negated ? notOf(joined) : joined;
}

/** Each dash or slash before a word in every form, all combinations of them; where there is none, the first dash at all. */
function dashed(text: string): string[] {
  const before = [...text.matchAll(/\B[-/]\b/g)].map(({ index }) => index).slice(0, DASHES_VARIED);
  const places = before.length > 0 ? before : [text.indexOf('-')].filter((place) => place >= 0);
  return places.reduce<string[]>(
    (texts, place) => texts.flatMap((one) => DASHES.map((dash) => one.slice(0, place) + dash + one.slice(place + 1))),
    [text],
  );
}

function encodedOf(pieces: readonly PatternPiece[], { encodings }: Modifiers): PatternPiece[][] {
  const text = pieces.map((piece) => {
    if (typeof piece === 'string') throw failed('A value that is encoded cannot hold wildcards.');
    return piece.text;
  });
  return encodingsOf(text.join(''), encodings).map((encoded) => [{ text: encoded }]);
}

function expanded(text: string, placeholders: Placeholders): string[] {
  let texts = [text];
  for (const [whole, name = ''] of text.matchAll(/%([^%\s]+)%/g)) {
    const values = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined;
    if (values === undefined) throw skipped(`The placeholder %${name}% has no values here.`);
    texts = texts.flatMap((one) => values.map((value) => one.replaceAll(whole, () => value)));
    if (texts.length > MAX_VALUES) throw skipped(`The placeholder %${name}% has too many values.`);
  }
  return texts;
}
