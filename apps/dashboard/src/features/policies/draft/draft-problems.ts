import { t } from '../../../language/translate.ts';
import { fieldsOf, nodeAt } from '../criteria/criteria-tree.ts';
import { numberOf, operatorTable, valuesOf } from '../criteria/operators.ts';
import type { PolicyDraft } from './policy-draft.ts';
import type { SequenceDraft } from './sequence-draft.ts';

/** Where a problem belongs: a part of the form, or a node of the criteria. */
export type ProblemPlace =
  | 'name'
  | 'description'
  | 'techniques'
  | 'source'
  | 'criteria'
  | 'group_by'
  | 'threshold'
  | 'sequence'
  | 'suppress';

/** What stands in the way of saving, by place; `nodes` by the id of the criterion. `other` has no place in the form. */
export type DraftProblems = {
  readonly places: Readonly<Partial<Record<ProblemPlace, string>>>;
  readonly nodes: ReadonlyMap<string, string>;
  readonly other: readonly string[];
};

export const noProblems: DraftProblems = { places: {}, nodes: new Map(), other: [] };

export function hasProblems({ places, nodes, other }: DraftProblems): boolean {
  return Object.keys(places).length > 0 || nodes.size > 0 || other.length > 0;
}

const MAX_COUNT = 100_000;
const MAX_WITHIN_S = 604_800;
const MAX_SUPPRESS_S = 2_592_000;

/** What can be seen without the server: something missing, or a number that is none. */
export function draftProblems(draft: PolicyDraft): DraftProblems {
  const places: Partial<Record<ProblemPlace, string>> = {};
  if (draft.name.trim() === '') places.name = t('Give the policy a name.');
  const wrong = draft.techniques?.find((technique) => !/^T\d{4}(\.\d{3})?$/.test(technique));
  if (wrong !== undefined)
    places.techniques = t('{wrong} is no technique: they look like T1059 or T1059.001.', { wrong });
  const fields = fieldsOf(draft.criteria);
  if (fields.length === 0 && draft.logic.sequence === undefined)
    places.criteria = t('Add at least one condition; without one every event would fit.');
  const { group_by, threshold, sequence, suppress_for_s } = draft.logic;
  if (group_by.length > 5) places.group_by = t('At most five fields make a group.');
  if (threshold !== undefined) {
    if (!isWithin(threshold.count, 1, MAX_COUNT)) places.threshold = t('Count between 1 and 100,000.');
    else if (!isWithin(threshold.within_s, 1, MAX_WITHIN_S)) places.threshold = t('Count within 1 second to 7 days.');
  }
  if (suppress_for_s !== undefined && !isWithin(suppress_for_s, 0, MAX_SUPPRESS_S)) {
    places.suppress = t('Stay quiet for at most 30 days.');
  }
  const wrongSequence = sequence && sequenceProblem(sequence, group_by);
  if (wrongSequence !== undefined) places.sequence = wrongSequence;
  const nodes = new Map<string, string>();
  const inSteps = (sequence?.steps ?? []).flatMap(({ criteria }) => fieldsOf(criteria));
  for (const { id, criterion } of [...fields, ...inSteps]) {
    const problem = criterionProblem(criterion);
    if (problem !== undefined) nodes.set(id, problem);
  }
  return { places, nodes, other: [] };
}

function sequenceProblem({ steps, within_s }: SequenceDraft, groupBy: readonly string[]): string | undefined {
  if (!isWithin(within_s, 1, MAX_WITHIN_S)) return t('The steps take 1 second to 7 days.');
  const empty = steps.findIndex(({ criteria }) => fieldsOf(criteria).length === 0);
  if (empty !== -1) return t('Step {number} needs a condition.', { number: empty + 1 });
  const odd = steps.findIndex(({ group_by }) => group_by !== undefined && group_by.length !== groupBy.length);
  if (odd === -1) return undefined;
  return t('Step {number} must name as many fields as the policy has one case per.', { number: odd + 1 });
}

function criterionProblem(criterion: Parameters<typeof valuesOf>[0]): string | undefined {
  if (criterion.field.trim() === '') return t('Name the field.');
  const { operand } = operatorTable[criterion.operator];
  if (operand === 'none' || operand === 'presence') return undefined;
  if (criterion.value_field !== undefined) {
    return criterion.value_field.trim() === '' ? t('Name the field it is compared with.') : undefined;
  }
  const values = valuesOf(criterion);
  if (values.length === 0) return operand === 'number' ? t('Give a number.') : t('Give at least one value.');
  if (operand === 'number' && values.some((value) => numberOf(value) === undefined)) return t('This is not a number.');
  return undefined;
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}

const prefixes: readonly (readonly [string, ProblemPlace])[] = [
  ['name', 'name'],
  ['description', 'description'],
  ['techniques', 'techniques'],
  ['logic.source', 'source'],
  ['logic.group_by', 'group_by'],
  ['logic.threshold', 'threshold'],
  ['logic.sequence', 'sequence'],
  ['logic.suppress_for_s', 'suppress'],
  ['logic.filter_criteria', 'criteria'],
];

type Detail = { path: string; message: string };

/** Problems the server found, at the places of the draft they are about. */
export function serverProblems(details: readonly Detail[], draft: PolicyDraft): DraftProblems {
  const places: Partial<Record<ProblemPlace, string>> = {};
  const nodes = new Map<string, string>();
  const other: string[] = [];
  for (const { path, message } of details) {
    const inRule = path.replace(/^(body\.)?rule\.?/, '');
    const node = nodeOf(draft, inRule);
    const place = prefixes.find(([prefix]) => inRule === prefix || inRule.startsWith(`${prefix}.`))?.[1];
    if (node !== undefined) nodes.set(node, nodes.get(node) ?? message);
    else if (place !== undefined) places[place] ??= message;
    else other.push(path === '' ? message : `${path}: ${message}`);
  }
  return { places, nodes, other };
}

/** The criterion a place of the rule is about, of the policy itself or of one of its steps. */
function nodeOf({ criteria, logic }: PolicyDraft, place: string): string | undefined {
  const found = /^logic\.(?:sequence\.steps\.(\d+)\.)?filter_criteria\.(.+)$/.exec(place);
  if (found === null) return undefined;
  const [, step, inside = ''] = found;
  const root = step === undefined ? criteria : logic.sequence?.steps[Number(step)]?.criteria;
  return root && nodeAt(root, inside);
}
