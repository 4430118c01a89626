import type { Criterion, FieldCriterion } from '@airdeck/contracts/policies/schema';
import { GRAM_CHARS } from './gram-index.ts';

/**
 * What every event must have that a policy can fit: in the field, one of the texts (lower case), either as the whole
 * value or somewhere in it.
 */
export type RequiredTexts = { readonly field: string; readonly texts: readonly string[]; readonly whole: boolean };

const ASCII = /^[\0-\x7f]*$/;

/**
 * Finds the condition that narrows best among the criteria that all must hold: whole values before parts, then the one
 * with the fewest alternatives. Undefined when there is none; the policy is then always tried.
 */
export function requiredTextsOf(criteria: readonly Criterion[]): RequiredTexts | undefined {
  let best: RequiredTexts | undefined;
  for (const criterion of criteria) {
    const found = requiredBy(criterion);
    if (found !== undefined && (best === undefined || narrowsBetter(found, best))) best = found;
  }
  return best;
}

function narrowsBetter(a: RequiredTexts, b: RequiredTexts): boolean {
  return a.whole === b.whole ? a.texts.length < b.texts.length : a.whole;
}

function requiredBy(criterion: Criterion): RequiredTexts | undefined {
  if ('all' in criterion) return requiredTextsOf(criterion.all);
  if ('any' in criterion) return requiredByAny(criterion.any);
  if ('not' in criterion) return undefined;
  switch (criterion.operator) {
    case 'equals':
    case 'in':
      return requiredValues(criterion);
    case 'contains':
    case 'startswith':
    case 'endswith':
      return requiredPart(criterion);
    default:
      return undefined;
  }
}

function requiredValues({ field, value }: FieldCriterion): RequiredTexts {
  const wanted = Array.isArray(value) ? value : [value];
  // Equal texts are equal in lower case too, so this holds for case-sensitive criteria as well.
  return { field, texts: [...new Set(wanted.map((one) => String(one).toLowerCase()))], whole: true };
}

function requiredPart({ field, value, case_sensitive: caseSensitive }: FieldCriterion): RequiredTexts | undefined {
  const part = String(value);
  if (part.length < GRAM_CHARS) return undefined;
  // The lower case of some letters depends on their neighbours (Σ at the end of a word), so a part that is there need not
  // be there in lower case. Criteria that ignore case compare lower case anyway.
  if (caseSensitive === true && !ASCII.test(part)) return undefined;
  const text = part.toLowerCase();
  return text.length < GRAM_CHARS ? undefined : { field, texts: [text], whole: false };
}

/** Alternatives help only when each of them asks for texts of one and the same field. */
function requiredByAny(alternatives: readonly Criterion[]): RequiredTexts | undefined {
  const found = alternatives.map(requiredBy);
  const field = found[0]?.field;
  const texts = new Set<string>();
  let whole = true;
  for (const required of found) {
    if (field === undefined || required === undefined || required.field !== field) return undefined;
    whole &&= required.whole;
    for (const text of required.texts) texts.add(text);
  }
  if (field === undefined) return undefined;
  // Next to parts, whole values count as parts: the value contains them.
  if (!whole && [...texts].some((text) => text.length < GRAM_CHARS)) return undefined;
  return { field, texts: [...texts], whole };
}
