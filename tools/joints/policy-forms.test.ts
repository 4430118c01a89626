/** What can be said in the policy editor, said as its fields do and saved. */
import type { Criterion, CriterionOperator, FieldCriterion, Policy } from '@airdeck/contracts/policies/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeField,
  criteriaOf,
  fieldsOf,
  type GroupNode,
  newField,
  newGroup,
} from '../../apps/dashboard/src/features/policies/criteria/criteria-tree.ts';
import {
  operators,
  operatorTable,
  withOperator,
  withValues,
} from '../../apps/dashboard/src/features/policies/criteria/operators.ts';
import { draftProblems, noProblems } from '../../apps/dashboard/src/features/policies/draft/draft-problems.ts';
import {
  blankDraft,
  draftOf,
  type PolicyDraft,
  ruleOf,
  ruleText,
  withoutSequence,
  withSequence,
} from '../../apps/dashboard/src/features/policies/draft/policy-draft.ts';
import { readRule } from '../../apps/dashboard/src/features/policies/draft/read-rule.ts';
import { lengthParts, readLength } from '../../apps/dashboard/src/features/policies/editor/length-value.ts';
import { policyCalls, policyQueries } from '../../apps/dashboard/src/queries/policies.ts';
import { confirmed, type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct();
});
afterAll(() => product?.close());

/** A column, a number among the columns, a field of the original, one whose name has dots, and any of them. */
const fields = ['user', 'src_ip', 'EventID', 'fields.user', 'winlog.event_data.Target User', '*'];

const valuesFor: Readonly<Partial<Record<CriterionOperator, readonly string[]>>> = {
  wildcard: ['*\\cmd.exe', 'a?c'],
  regex: ['user=\\w+', '^4\\d{3}$'],
  cidr: ['192.0.2.0/24', '2001:db8::/32'],
};
const plainValues = ['4625', 'Ärger, "quoted" \\ and more'];

/** Every criterion the row of one field and one operator can say. */
function criteriaFor(field: string, operator: CriterionOperator): FieldCriterion[] {
  const { operand, comparesFields } = operatorTable[operator];
  const begun = withOperator({ field, operator: 'equals' }, operator);
  if (operand === 'none') return [begun];
  if (operand === 'presence') return [begun, { ...begun, value: false }];
  if (operand === 'number') return ['5', ' 0 ', '-2.50'].map((value) => ({ ...begun, value }));
  const values = valuesFor[operator] ?? plainValues;
  const one = withValues(begun, values.slice(0, 1));
  const several = withValues(begun, values);
  const said: FieldCriterion[] = [one, several, { ...several, match: 'all' }];
  if (comparesFields === true) said.push({ ...begun, value_field: 'host' });
  return [...said, ...said.map((each): FieldCriterion => ({ ...each, case_sensitive: true }))];
}

function draftWith(name: string, criteria: GroupNode, more: Partial<PolicyDraft> = {}): PolicyDraft {
  return { ...blankDraft(), name, criteria, ...more };
}

function groupOf(criteria: readonly FieldCriterion[], of: GroupNode['of'] = 'all'): GroupNode {
  return newGroup(
    of,
    criteria.map((criterion) => ({ ...newField(), criterion })),
  );
}

function create(draft: PolicyDraft): Promise<Policy> {
  const { tenantApi, intent } = product;
  const body = { rule: ruleOf(draft), enabled: false };
  return confirmed((controls) => policyCalls(tenantApi).create(body, { ...controls, intent }));
}

function read(id: string): Promise<Policy> {
  const { queryClient, tenantApi } = product;
  return queryClient.fetchQuery({ ...policyQueries.detail(tenantApi, id), staleTime: 0 });
}

/** Saved, read, opened, saved as it is, and with another description. */
async function kept(draft: PolicyDraft): Promise<PolicyDraft> {
  expect(draftProblems(draft)).toEqual(noProblems);
  const { update } = policyCalls(product.tenantApi);
  const { id, version, rule } = await read((await create(draft)).id);
  expect(rule).toEqual(ruleOf(draft));
  const opened = draftOf(rule);
  expect(draftProblems(opened)).toEqual(noProblems);
  expect(ruleOf(opened)).toEqual(rule);
  expect(readRule(ruleText(rule))).toEqual({ rule });
  const again = await confirmed((controls) => update({ id, rule: ruleOf(opened), based_on: version }, controls));
  expect(again.rule).toEqual(rule);
  const changed = ruleOf({ ...opened, description: `${opened.description} Ours.` });
  const saved = await confirmed((controls) => update({ id, rule: changed, based_on: again.version }, controls));
  expect(saved.rule).toEqual(changed);
  return opened;
}

describe.each(operators)('"%s"', (operator) => {
  test('is saved of every kind of field with all it can be compared with', async () => {
    const said = fields.flatMap((field) => criteriaFor(field, operator));
    const opened = await kept(draftWith(`Compares by ${operator}`, groupOf(said)));
    // What a field says again without being touched is what it said.
    const found = fieldsOf(opened.criteria).map(({ criterion }) => criterion);
    expect(found.map(rewritten)).toEqual(found);
  });

  test('is left for every other with what fits of it', async () => {
    const before = [...criteriaFor('EventID', operator), { field: 'EventID', operator, ...storedNumber(operator) }];
    const moved = operators.flatMap((next) => before.map((criterion) => withOperator(criterion, next)));
    const filled = moved.map((criterion) => (isUnfit(criterion) ? refilled(criterion) : criterion));
    await kept(draftWith(`Compared by ${operator}`, groupOf(filled)));
  });
});

function rewritten(criterion: FieldCriterion): FieldCriterion {
  const { value, value_field, operator } = criterion;
  if (operatorTable[operator].operand !== 'texts' || value_field !== undefined) return criterion;
  return withValues(criterion, [value ?? []].flat().map(String));
}

/** Imported rules compare with numbers; the editor keeps them. */
function storedNumber(operator: CriterionOperator): Pick<FieldCriterion, 'value'> {
  const { operand } = operatorTable[operator];
  if (operand === 'none') return {};
  if (operand === 'presence') return { value: true };
  if (operator === 'cidr') return { value: '192.0.2.0/24' };
  if (operator === 'regex') return { value: '4625' };
  return { value: operator === 'in' ? [4625] : 4625 };
}

/** What the screen asks for, or what no network is: somebody has to type something else. */
function isUnfit(criterion: FieldCriterion): boolean {
  const draft = draftWith('Tried', groupOf([criterion]));
  if (draftProblems(draft).nodes.size > 0) return true;
  const values = [criterion.value ?? []].flat().map(String);
  if (criterion.operator === 'regex')
    return values.some((value) => /^\*|^[\d.:a-f]+\//.test(value) || value.includes('"'));
  return criterion.operator === 'cidr' && values.some((value) => !/^[\d.:a-f]+\/\d+$/.test(value));
}

function refilled(criterion: FieldCriterion): FieldCriterion {
  const { operand } = operatorTable[criterion.operator];
  if (operand === 'number') return { ...criterion, value: '7' };
  return withValues(criterion, valuesFor[criterion.operator] ?? plainValues);
}

test.each(['all', 'any', 'none'] as const)(
  'groups of kind %s are kept with groups of every kind in them',
  async (of) => {
    const user: FieldCriterion = { field: 'user', operator: 'equals', value: 'root' };
    const inside = (['all', 'any', 'none'] as const).flatMap((kind) => [
      groupOf([user], kind),
      groupOf([user, { ...user, value: 'admin' }], kind),
      newGroup(kind, [groupOf([user, { ...user, value: 'daemon' }], 'none')]),
      newGroup(kind, []),
    ]);
    const opened = await kept(draftWith(`Groups in ${of}`, newGroup(of, [...inside, newField('host', 'alpha')])));
    const [first] = fieldsOf(opened.criteria);
    const changed = changeField(opened.criteria, first?.id ?? '', { ...user, value: 'somebody' });
    const expected: Criterion[] = criteriaOf(changed);
    expect((await read((await create(draftWith(`Changed in ${of}`, changed))).id)).rule.logic.filter_criteria).toEqual(
      expected,
    );
  },
);

describe('when it opens a case', () => {
  const lengths = ['seconds', 'minutes', 'hours', 'days'] as const;
  const failures = groupOf([{ field: 'outcome', operator: 'equals', value: 'failure' }]);
  const counted = (how: string) => draftWith(`Counted ${how}`, failures);

  test.each(lengths)('is kept with lengths in %s', async (unit) => {
    const begun = counted(`in ${unit}`);
    const within_s = readLength({ amount: '7', unit });
    const logic = { ...begun.logic, group_by: ['src_ip', 'user'], threshold: { count: 100_000, within_s } };
    const { logic: opened } = await kept({ ...begun, logic: { ...logic, suppress_for_s: within_s } });
    expect(opened.threshold).toEqual(logic.threshold);
    expect(lengthParts(opened.suppress_for_s ?? 0)).toEqual({ amount: '7', unit });
  });

  test('is kept where different values count, by the most fields', async () => {
    const begun = counted('by values');
    const threshold = { count: 1, within_s: 604_800, distinct_field: 'user' };
    await kept({ ...begun, logic: { ...begun.logic, group_by: ['a', 'b', 'c', 'd', 'e'], threshold } });
  });

  test('is kept with steps, and without them again', async () => {
    const begun = counted('in steps');
    const stepped = { ...begun, ...withSequence(begun) };
    const second = groupOf([{ field: 'outcome', operator: 'equals', value: 'success' }], 'any');
    const [first] = stepped.logic.sequence?.steps ?? [];
    if (first === undefined) throw new Error('No step.');
    const source = { source_type: 'log' as const, connector_definition_id: 'okta', event_type: '' };
    const steps = [first, { criteria: second, source, group_by: ['client'] }];
    const sequence = { steps, within_s: 600, any_order: true };
    const opened = await kept({ ...stepped, logic: { ...stepped.logic, group_by: ['user'], sequence } });
    await kept({ ...opened, ...withoutSequence(opened), name: 'Counted without steps' });
  });

  test('is kept with everything about it', async () => {
    const begun = counted('with everything');
    const source = { source_type: 'log' as const, connector_definition_id: 'okta', event_type: 'system_log' };
    const also = [{ connector_definition_id: '', event_type: 'syslog' }];
    const about = { description: 'Why.', severity: 'critical' as const, techniques: ['T1059.001', 'T1110'] };
    await kept({ ...begun, ...about, logic: { ...begun.logic, source: { ...source, also } } });
  });
});
