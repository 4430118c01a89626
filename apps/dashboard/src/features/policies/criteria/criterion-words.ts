import type { Criterion, FieldCriterion } from '@airdeck/contracts/policies/schema';
import { t } from '../../../language/translate.ts';
import { operatorTable, valuesOf } from './operators.ts';

/** A field criterion as it is read: `message` `contains` `Failed` or `Invalid`. */
type CriterionWords = {
  field: string;
  verb: string;
  values: readonly string[];
  /** Between values: whether one is enough. */
  joint: string;
  /** What else has to be known: "same case". */
  note: string;
};

export type GroupKind = 'all' | 'any' | 'none';

export const groupWords: Readonly<Record<GroupKind, string>> = {
  all: t('All of these'),
  any: t('Any of these'),
  none: t('None of these'),
};

/** The tree as it is read: groups with their members, criteria in words. */
export type WordTree =
  | ({ kind: 'field' } & CriterionWords)
  | { kind: 'group'; of: GroupKind; members: readonly WordTree[] };

/** The name of a field; `*` is said in words. */
function fieldWords(field: string): string {
  return field === '*' ? t('any field') : field;
}

function criterionWords(criterion: FieldCriterion): CriterionWords {
  const { field, operator, value, value_field, match, case_sensitive } = criterion;
  const row = operatorTable[operator];
  const sensitive = case_sensitive === true ? t('same case') : '';
  const base = { field: fieldWords(field), verb: row.words, joint: match === 'all' ? t('and') : t('or'), note: '' };
  if (row.operand === 'none') return { ...base, values: [] };
  if (row.operand === 'presence') return { ...base, verb: value === false ? t('is missing') : row.words, values: [] };
  if (value_field !== undefined) {
    return {
      ...base,
      verb: t('{comparison} the event’s', { comparison: row.words }),
      values: [value_field],
      note: sensitive,
    };
  }
  const values = valuesOf(criterion);
  return { ...base, values, note: row.operand === 'texts' ? sensitive : '' };
}

/** What a list of criteria looks for; a group inside a group of the same kind is read as one. */
export function wordTree(criteria: readonly Criterion[]): WordTree {
  const [only] = criteria;
  const members = criteria.map(wordsOf);
  const [first] = members;
  if (only !== undefined && first !== undefined && members.length === 1 && first.kind === 'group') return first;
  return { kind: 'group', of: 'all', members: members.flatMap((member) => opened(member, 'all')) };
}

function wordsOf(criterion: Criterion): WordTree {
  if ('field' in criterion) return { kind: 'field', ...criterionWords(criterion) };
  if ('any' in criterion) return group('any', criterion.any);
  if ('all' in criterion) return group('all', criterion.all);
  const { not } = criterion;
  if ('any' in not) return { kind: 'group', of: 'none', members: not.any.map(wordsOf) };
  return { kind: 'group', of: 'none', members: [wordsOf(not)] };
}

function group(of: 'all' | 'any', criteria: readonly Criterion[]): WordTree {
  return { kind: 'group', of, members: criteria.map(wordsOf).flatMap((member) => opened(member, of)) };
}

function opened(member: WordTree, of: 'all' | 'any'): readonly WordTree[] {
  return member.kind === 'group' && member.of === of ? member.members : [member];
}

/** Criteria in one line, for lists and reports: `message contains "Failed" and not (user is "root")`. */
export function inOneLine(criteria: readonly Criterion[]): string {
  return lineOf(wordTree(criteria), true);
}

const joints: Readonly<Record<GroupKind, string>> = { all: t(' and '), any: t(' or '), none: t(' or ') };

function lineOf(tree: WordTree, outermost = false): string {
  if (tree.kind === 'field') return fieldLine(tree);
  const inner = tree.members
    .map((member) => lineOf(member, tree.of === 'none' && tree.members.length === 1))
    .join(joints[tree.of]);
  if (tree.of === 'none') return t('not ({criteria})', { criteria: inner });
  return outermost || tree.members.length === 1 ? inner : `(${inner})`;
}

function fieldLine({ field, verb, values, joint, note }: CriterionWords): string {
  const quoted = values.map((value) => `“${value}”`).join(` ${joint} `);
  return [field, verb, quoted, note === '' ? '' : `(${note})`].filter((part) => part !== '').join(' ');
}
