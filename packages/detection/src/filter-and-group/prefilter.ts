import type { Criterion, FieldCriterion } from '@airdeck/contracts/policies/schema';
import { GRAM_CHARS } from './gram-index.ts';
import { literalIn } from './regex-literal.ts';
import { readPattern } from './wildcard.ts';

/** A text (lower case) in a field of an event: the whole value, or somewhere in it. */
export type RequiredText = { readonly field: string; readonly text: string; readonly whole: boolean };

/** Every event that a policy can fit has at least one of these. */
export type Requirement = readonly RequiredText[];

/** How many policies ask for the same text; the fewer, the better it tells them apart. */
export type TextFrequency = (required: RequiredText) => number;

const ASCII = /^[\0-\x7f]*$/;

/** Texts shorter than this stand in many events by chance. */
const TELLING_CHARS = 8;
const CHANCE_COST = 4;

/** Everything the criteria require, which all must hold; empty when nothing known, such as for `exists`. */
export function requirementsOf(criteria: readonly Criterion[], frequency: TextFrequency): Requirement[] {
  return criteria.flatMap((criterion) => requirementsIn(criterion, frequency));
}

/** Every text that may become part of a requirement, to count how often each occurs among all policies. */
export function textsRequiredIn(criteria: readonly Criterion[]): RequiredText[] {
  return criteria.flatMap((criterion): RequiredText[] => {
    if ('all' in criterion) return textsRequiredIn(criterion.all);
    if ('any' in criterion) return textsRequiredIn(criterion.any);
    return 'not' in criterion ? [] : requirementsOfField(criterion).flat();
  });
}

function requirementsIn(criterion: Criterion, frequency: TextFrequency): Requirement[] {
  if ('all' in criterion) return criterion.all.flatMap((one) => requirementsIn(one, frequency));
  if ('any' in criterion) {
    const alternatives = criterion.any.map((one) => cheapest(requirementsIn(one, frequency), frequency));
    const sound = alternatives.filter((one) => one !== undefined);
    // An alternative that asks for nothing known can be fitted by any event.
    return sound.length === alternatives.length ? [sound.flat()] : [];
  }
  return 'not' in criterion ? [] : requirementsOfField(criterion);
}

/** The one that narrows best: few alternatives, each of them a text that few other policies ask for. */
export function cheapest(requirements: readonly Requirement[], frequency: TextFrequency): Requirement | undefined {
  let best: { requirement: Requirement; cost: number } | undefined;
  for (const requirement of requirements) {
    const cost = requirement.reduce((sum, one) => sum + frequency(one) + chanceCost(one), 0);
    if (best === undefined || cost < best.cost) best = { requirement, cost };
  }
  return best?.requirement;
}

function chanceCost({ text, whole }: RequiredText): number {
  return whole ? 0 : Math.max(0, TELLING_CHARS - text.length) * CHANCE_COST;
}

/** One requirement per value where each must fit, one for all where any is enough. */
function requirementsOfField(criterion: FieldCriterion): Requirement[] {
  const { field, operator, value } = criterion;
  if (value === undefined || criterion.value_field !== undefined) return [];
  const texts: (RequiredText | undefined)[] = (Array.isArray(value) ? value : [value]).map((one) => {
    const text = requiredText(operator, String(one), criterion.case_sensitive === true);
    return text === undefined ? undefined : { field, ...text };
  });
  const sound = texts.filter((one) => one !== undefined);
  if (criterion.match === 'all') return sound.map((one) => [one]);
  return sound.length === texts.length && sound.length > 0 ? [sound] : [];
}

function requiredText(
  operator: FieldCriterion['operator'],
  value: string,
  caseSensitive: boolean,
): { text: string; whole: boolean } | undefined {
  switch (operator) {
    case 'equals':
    case 'in':
      // Equal texts are equal in lower case too, so this holds for case-sensitive criteria as well.
      return { text: value.toLowerCase(), whole: true };
    case 'contains':
    case 'startswith':
    case 'endswith':
      return partOf(value, caseSensitive);
    case 'wildcard': {
      const pieces = readPattern(caseSensitive ? value : value.toLowerCase());
      const parts = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.text]));
      return partOf(longest(parts), caseSensitive);
    }
    case 'regex':
      // An expression folds case by rules of its own, which agree with lower case for plain letters.
      return partOf(literalIn(value, { ignoreCase: !caseSensitive }) ?? '', true);
    default:
      return undefined;
  }
}

function partOf(part: string, caseSensitive: boolean): { text: string; whole: false } | undefined {
  if (part.length < GRAM_CHARS) return undefined;
  // The lower case of some letters depends on their neighbours (Σ at the end of a word), so a part that is there need not
  // be there in lower case. Criteria that ignore case compare lower case anyway.
  if (caseSensitive && !ASCII.test(part)) return undefined;
  const text = part.toLowerCase();
  return text.length < GRAM_CHARS ? undefined : { text, whole: false };
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, one) => (one.length > best.length ? one : best), '');
}
