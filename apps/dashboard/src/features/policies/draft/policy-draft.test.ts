import type { FieldCriterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import { expect, test } from 'vitest';
import { fieldsOf } from '../criteria/criteria-tree.ts';
import { valuesOf, withOperator, withValues } from '../criteria/operators.ts';
import { draftProblems, hasProblems, serverProblems } from './draft-problems.ts';
import {
  blankDraft,
  draftOf,
  isSameRule,
  ruleOf,
  ruleText,
  sourceOf,
  sourcesOf,
  withoutSequence,
  withSequence,
} from './policy-draft.ts';
import { readRule } from './read-rule.ts';

const rule: PolicyRule = {
  name: 'Guessing',
  description: 'Many failures',
  type: 'custom',
  severity: 'high',
  techniques: ['T1110'],
  logic: {
    rule_type: 'filter_and_group',
    filter_criteria: [
      { field: 'action', operator: 'equals', value: 'login' },
      { any: [{ field: 'code', operator: 'equals', value: 4625 }, { not: { field: 'user', operator: 'empty' } }] },
    ],
    group_by: ['src_ip'],
    threshold: { count: 10, within_s: 300 },
    suppress_for_s: 60,
    source: {
      source_type: 'log',
      connector_definition_id: 'sshd',
      event_type: 'authentication',
      also: [{ connector_definition_id: 'windows', event_type: '' }],
    },
  },
};

test('a rule that is opened and stored is the same rule, as a form and as text', () => {
  expect(ruleOf(draftOf(rule))).toEqual(rule);
  const read = readRule(ruleText(rule));
  expect(read).toEqual({ rule });
  expect(isSameRule(rule, JSON.parse(ruleText(rule)))).toBe(true);
  expect(isSameRule(rule, { ...rule, severity: 'low' })).toBe(false);
});

test.each([
  ['', 'no JSON'],
  ['[]', 'must be an object'],
  [ruleText({ ...rule, severity: 'fatal' as 'high' }), 'severity must be one of'],
  [ruleText(rule).replace('"equals"', '"equal"'), 'filter_criteria.0.operator must be one of'],
  [ruleText(rule).replace('"count": 10', '"count": 1.5'), 'threshold.count must be a whole number'],
  [ruleText(rule).replace('"value": "login"', '"value": {}'), 'filter_criteria.0.value must be'],
  [ruleText(rule).replace('"group_by"', '"group"'), 'has no “group”'],
  [ruleText(rule).replace('"value": "login"', '"valu": "login"'), 'has no “valu”'],
])('text that is no rule says what is wrong: %#', (text, problem) => {
  expect(readRule(text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('a sequence is kept as it is, as a form and as text, and its steps are checked by place', () => {
  const { threshold: _none, ...logic } = rule.logic;
  const steps = [
    { filter_criteria: [{ field: 'outcome', operator: 'equals' as const, value: 'failure' }] },
    {
      filter_criteria: [{ field: 'outcome', operator: 'equals' as const, value: 'success' }],
      source: { source_type: 'log' as const, connector_definition_id: 'okta', event_type: '' },
      group_by: ['client_ip'],
    },
  ];
  const followed: PolicyRule = {
    ...rule,
    logic: { ...logic, filter_criteria: [], sequence: { steps, within_s: 600, any_order: true } },
  };
  expect(ruleOf(draftOf(followed))).toEqual(followed);
  expect(readRule(ruleText(followed))).toEqual({ rule: followed });
  expect(hasProblems(draftProblems(draftOf(followed)))).toBe(false);
  const text = ruleText(followed);
  expect(readRule(text.replace('"any_order": true', '"any_order": 1'))).toEqual({
    problem: 'logic.sequence.any_order must be true or false.',
  });
  expect(readRule(text.replace('"client_ip"', '5'))).toEqual({
    problem: 'logic.sequence.steps.1.group_by.0 must be a text.',
  });
  const details = [{ path: 'body.rule.logic.sequence.steps.0.filter_criteria.0.value', message: 'Wrong.' }];
  const draft = draftOf(followed);
  const [first] = draft.logic.sequence?.steps ?? [];
  const inFirst = first === undefined ? [] : fieldsOf(first.criteria);
  expect(serverProblems(details, draft)).toEqual({
    places: {},
    nodes: new Map([[inFirst[0]?.id, 'Wrong.']]),
    other: [],
  });
  const ofAll = [{ path: 'body.rule.logic.sequence.within_s', message: 'Too long.' }];
  expect(serverProblems(ofAll, draft).places).toEqual({ sequence: 'Too long.' });
});

test('waiting for steps begins with what was looked for, and going back forgets nothing of it', () => {
  const { threshold: _none, ...logic } = rule.logic;
  const waiting = { ...draftOf(rule), ...withSequence(draftOf(rule)) };
  expect(ruleOf(waiting).logic).toEqual({
    ...{ ...logic, filter_criteria: [] },
    sequence: {
      steps: [
        { filter_criteria: rule.logic.filter_criteria },
        { filter_criteria: [{ field: '', operator: 'equals' }] },
      ],
      within_s: 600,
    },
  });
  expect([...draftProblems(waiting).nodes.values()]).toEqual(['Name the field.']);
  const back = { ...waiting, ...withoutSequence(waiting) };
  expect(ruleOf(back).logic).toEqual(logic);
  const common = { ...waiting, criteria: draftOf(rule).criteria };
  expect(ruleOf({ ...common, ...withoutSequence(common) }).logic).toEqual(logic);
});

test.each<[Partial<NonNullable<PolicyRule['logic']['sequence']>>, string]>([
  [{ within_s: 0 }, 'The steps take 1 second to 7 days.'],
  [{ steps: [{ filter_criteria: [] }, { filter_criteria: rule.logic.filter_criteria }] }, 'Step 1 needs a condition.'],
  [
    {
      steps: [
        { filter_criteria: rule.logic.filter_criteria },
        { filter_criteria: rule.logic.filter_criteria, group_by: ['user', 'host'] },
      ],
    },
    'Step 2 must name as many fields as the policy has one case per.',
  ],
])('steps that cannot be are said before the server has to: %#', (part, problem) => {
  const { threshold: _none, ...logic } = rule.logic;
  const steps = [{ filter_criteria: rule.logic.filter_criteria }, { filter_criteria: rule.logic.filter_criteria }];
  const draft = draftOf({ ...rule, logic: { ...logic, sequence: { steps, within_s: 60, ...part } } });
  expect(draftProblems(draft).places.sequence).toBe(problem);
});

test('a text nested a thousand times is refused, not run into', () => {
  const deep = `${'{"not":'.repeat(1000)}{"field":"a","operator":"empty"}${'}'.repeat(1000)}`;
  const text = JSON.stringify(rule).replace('"filter_criteria":[', `"filter_criteria":[${deep},`);
  expect(readRule(text)).toEqual({ problem: expect.stringContaining('nested too deeply') });
});

test('sources are a list, the first of them the policy’s own', () => {
  const { logic } = draftOf(rule);
  expect(sourcesOf(logic)).toHaveLength(2);
  expect(sourceOf(sourcesOf(logic).slice(1))).toEqual({
    source_type: 'log',
    connector_definition_id: 'windows',
    event_type: '',
  });
});

test('a blank policy cannot be saved, and says why at each place', () => {
  const blank = blankDraft();
  const problems = draftProblems(blank);
  expect(problems.places.name).toBe('Give the policy a name.');
  expect([...problems.nodes.values()]).toEqual(['Name the field.']);
  expect(hasProblems(draftProblems(draftOf(rule)))).toBe(false);
});

test('a policy about a value that was seen looks for it where it was seen', () => {
  const source = { connector_definition_id: 'sshd', event_type: 'authentication' };
  const { logic } = ruleOf(blankDraft({ field: 'src_ip', value: '192.0.2.7', source }));
  expect(logic.filter_criteria).toEqual([{ field: 'src_ip', operator: 'equals', value: '192.0.2.7' }]);
  expect(logic.source).toEqual({ source_type: 'log', ...source });
});

test.each<[FieldCriterion, string]>([
  [{ field: 'a', operator: 'equals' }, 'Give at least one value.'],
  [{ field: 'a', operator: 'gt', value: 'ten' }, 'This is not a number.'],
  [{ field: 'a', operator: 'equals', value_field: ' ' }, 'Name the field it is compared with.'],
])('%j has a problem', (criterion, problem) => {
  const draft = draftOf({ ...rule, logic: { ...rule.logic, filter_criteria: [criterion] } });
  expect([...draftProblems(draft).nodes.values()]).toEqual([problem]);
});

test('limits of counting are said before the server has to', () => {
  const counting = (part: Partial<PolicyRule['logic']>) =>
    draftProblems(draftOf({ ...rule, logic: { ...rule.logic, ...part } })).places;
  expect(counting({ threshold: { count: 0, within_s: 60 } }).threshold).toContain('Count between');
  expect(counting({ threshold: { count: 1, within_s: 1e9 } }).threshold).toContain('7 days');
  expect(counting({ suppress_for_s: 1e9 }).suppress).toContain('30 days');
});

test('problems of the server stand where they belong', () => {
  const draft = draftOf(rule);
  const found = serverProblems(
    [
      { path: 'rule.logic.filter_criteria.1.any.0.value', message: 'too long' },
      { path: 'body.rule.name', message: 'taken' },
      { path: 'rule.logic.threshold.count', message: 'too many' },
      { path: 'rule.what', message: 'unknown' },
    ],
    draft,
  );
  expect(found.places).toEqual({ name: 'taken', threshold: 'too many' });
  expect(found.nodes.get(fieldsOf(draft.criteria)[1]?.id ?? '')).toBe('too long');
  expect(found.other).toEqual(['rule.what: unknown']);
});

test('another operator keeps what it can carry', () => {
  const texts: FieldCriterion = {
    field: 'a',
    operator: 'contains',
    value: ['x', '12'],
    match: 'all',
    case_sensitive: true,
  };
  expect(withOperator(texts, 'startswith')).toEqual({ ...texts, operator: 'startswith' });
  expect(withOperator(texts, 'gt')).toEqual({ field: 'a', operator: 'gt', value: 12 });
  expect(withOperator(texts, 'empty')).toEqual({ field: 'a', operator: 'empty' });
  expect(withOperator(texts, 'exists')).toEqual({ field: 'a', operator: 'exists', value: true });
  expect(withOperator({ field: 'a', operator: 'exists', value: true }, 'equals')).toEqual({
    field: 'a',
    operator: 'equals',
  });
  const other: FieldCriterion = { field: 'a', operator: 'equals', value_field: 'b' };
  expect(withOperator(other, 'contains')).toEqual({ ...other, operator: 'contains' });
  expect(withOperator(other, 'regex')).toEqual({ field: 'a', operator: 'regex' });
});

test('values keep their type, and one alone is no list', () => {
  const number: FieldCriterion = { field: 'a', operator: 'equals', value: 4625 };
  expect(valuesOf(number)).toEqual(['4625']);
  expect(withValues(number, ['4625', '4626'])).toEqual({ ...number, operator: 'in', value: [4625, '4626'] });
  expect(withOperator({ field: 'a', operator: 'contains', value: ['x', 'y'] }, 'equals')).toMatchObject({
    operator: 'in',
  });
  expect(withValues(number, [])).toEqual({ field: 'a', operator: 'equals' });
  expect(withValues({ field: 'a', operator: 'in', value: ['x', 'y'] }, ['x'])).toMatchObject({ value: ['x'] });
});
