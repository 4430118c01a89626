import type { Criterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import { describe, expect, test } from 'vitest';
import { compilePolicies, evaluate, validatePolicy } from './policy-set.ts';
import { testEvent } from './test-event.ts';

function policy(id: string, logic: Partial<PolicyRule['logic']>) {
  const rule: PolicyRule = {
    name: id,
    description: '',
    type: 'custom',
    severity: 'low',
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [{ field: 'action', operator: 'equals', value: 'login' }],
      group_by: [],
      source: { source_type: 'log', connector_definition_id: '', event_type: '' },
      ...logic,
    },
  };
  return { id, rule };
}

function hits(policies: ReturnType<typeof policy>[], parts: Parameters<typeof testEvent>[0] = {}) {
  return evaluate(compilePolicies(policies), testEvent(parts));
}

function source(integration: string, eventType: string) {
  return { source: { source_type: 'log' as const, connector_definition_id: integration, event_type: eventType } };
}

describe('routing by source', () => {
  test('a policy sees the events of its source only; empty means any', () => {
    const policies = [
      policy('exact', source('sshd', 'authentication')),
      policy('integration', source('sshd', '')),
      policy('type', source('', 'authentication')),
      policy('any', source('', '')),
      policy('other integration', source('okta', 'authentication')),
      policy('other type', source('sshd', 'log')),
    ];
    expect(hits(policies).map((hit) => hit.policyId)).toEqual(['exact', 'integration', 'type', 'any']);
  });

  test('an event without integration or type is not seen twice by a policy for any source', () => {
    expect(hits([policy('any', source('', ''))], { integration: '', event_type: '' })).toHaveLength(1);
  });
});

describe('groups', () => {
  test('the key is the JSON list of the values, the values go by name', () => {
    expect(hits([policy('p', { group_by: ['src_ip', 'user'] })])).toEqual([
      {
        policyId: 'p',
        groupKey: '["192.0.2.10","root"]',
        groupValues: { src_ip: '192.0.2.10', user: 'root' },
      },
    ]);
  });
  test('values that contain the separator do not fall into one group', () => {
    const two = [policy('p', { group_by: ['user', 'host'] })];
    const keys = [
      hits(two, { user: 'a","b', host: 'c' })[0]?.groupKey,
      hits(two, { user: 'a', host: 'b","c' })[0]?.groupKey,
    ];
    expect(new Set(keys).size).toBe(2);
  });
  test('an event without a group field does not count; without group_by all events are one group', () => {
    expect(hits([policy('p', { group_by: ['src_ip'] })], { src_ip: '' })).toEqual([]);
    expect(hits([policy('p', { group_by: ['nobody.has.this'] })])).toEqual([]);
    expect(hits([policy('p', { group_by: [] })])[0]).toMatchObject({ groupKey: '[]', groupValues: {} });
  });
  test('a group field called __proto__ is kept as a value', () => {
    const fields = JSON.parse('{"__proto__":"x"}') as Record<string, unknown>;
    const [hit] = hits([policy('p', { group_by: ['__proto__'] })], { fields });
    expect(Object.entries(hit?.groupValues ?? {})).toEqual([['__proto__', 'x']]);
  });
});

test('a policy that fits by two elements of one list is reported once', () => {
  const criteria: Criterion[] = [{ field: 'tags', operator: 'in', value: ['a', 'b'] }];
  expect(hits([policy('p', { filter_criteria: criteria })], { fields: { tags: ['a', 'b', 'A'] } })).toHaveLength(1);
});

describe('sequences', () => {
  const is = (field: string, value: string): Criterion => ({ field, operator: 'equals', value });
  const failureThenSuccess = (logic: Partial<PolicyRule['logic']> = {}) =>
    policy('p', {
      filter_criteria: [],
      group_by: ['user'],
      sequence: {
        steps: [{ filter_criteria: [is('outcome', 'failure')] }, { filter_criteria: [is('outcome', 'success')] }],
        within_s: 60,
      },
      ...logic,
    });

  test('an event counts with the steps it fits, and with the policy’s own criteria beside them', () => {
    const either = failureThenSuccess();
    expect(hits([either])).toEqual([
      { policyId: 'p', groupKey: '["root"]', groupValues: { user: 'root' }, steps: [0] },
    ]);
    expect(hits([either], { outcome: 'success' })[0]?.steps).toEqual([1]);
    expect(hits([either], { outcome: 'unknown' })).toEqual([]);
    expect(hits([failureThenSuccess({ filter_criteria: [is('host', 'db-1')] })])).toEqual([]);
    const both = { steps: [{ filter_criteria: [is('user', 'root')] }, { filter_criteria: [is('host', 'web-1')] }] };
    expect(hits([failureThenSuccess({ sequence: { ...both, within_s: 60 } })])[0]?.steps).toEqual([0, 1]);
  });

  test('a step has its own source and its own names of the group; it sees no event of another step’s source', () => {
    const { source: sshd } = source('sshd', '');
    const { source: okta } = source('okta', 'system');
    const across = failureThenSuccess({
      ...source('sshd', ''),
      sequence: {
        steps: [
          { filter_criteria: [is('outcome', 'failure')], source: sshd },
          { filter_criteria: [is('outcome', 'failure')], source: okta, group_by: ['actor'] },
        ],
        within_s: 60,
      },
    });
    const elsewhere = { integration: 'okta', event_type: 'system', user: 'bo', fields: { actor: 'root' } };
    expect(hits([across]).map(({ steps }) => steps)).toEqual([[0]]);
    expect(hits([across], elsewhere)).toEqual([
      { policyId: 'p', groupKey: '["root"]', groupValues: { user: 'root' }, steps: [1] },
    ]);
    expect(hits([across], { ...elsewhere, event_type: 'log' })).toEqual([]);
    expect(hits([across], { ...elsewhere, fields: {} })).toEqual([]);
  });

  test('what cannot be is said with its place', () => {
    const problemsOf = (logic: Partial<PolicyRule['logic']>) =>
      validatePolicy(failureThenSuccess(logic).rule).map(({ path }) => path);
    expect(problemsOf({})).toEqual([]);
    expect(problemsOf({ threshold: { count: 2, within_s: 60 } })).toEqual(['logic.threshold']);
    const steps = [
      { filter_criteria: [{ any: [] }], group_by: ['a', 'b'] },
      { filter_criteria: [{ field: 'x', operator: 'regex' as const, value: '(' }] },
    ];
    expect(problemsOf({ sequence: { steps, within_s: 60 } })).toEqual([
      'logic.sequence.steps.0.filter_criteria.0.any',
      'logic.sequence.steps.0.group_by',
      'logic.sequence.steps.1.filter_criteria.0.value',
    ]);
  });
});

describe('problems', () => {
  const bad: Criterion[] = [
    { field: 'a', operator: 'regex', value: '(' },
    { any: [{ field: 'b', operator: 'equals', value: 'x' }, { not: { field: 'c', operator: 'cidr', value: 'x' } }] },
    { all: [] },
    { field: 'd', operator: 'sounds_like' as 'equals', value: 'x' },
    { field: 'd', operator: 'constructor' as 'equals', value: 'x' },
  ];

  test('all are returned at once, each with its path', () => {
    expect(validatePolicy(policy('p', { filter_criteria: bad, group_by: ['a', 'a'] }).rule).map((p) => p.path)).toEqual(
      [
        'logic.filter_criteria.0.value',
        'logic.filter_criteria.1.any.1.not.value',
        'logic.filter_criteria.2.all',
        'logic.filter_criteria.3.operator',
        'logic.filter_criteria.4.operator',
        'logic.group_by.1',
      ],
    );
    expect(validatePolicy(policy('p', { filter_criteria: [] }).rule)).toHaveLength(1);
    expect(validatePolicy(policy('p', {}).rule)).toEqual([]);
  });

  test('regular expressions are bounded together, those of steps too', () => {
    const parts = (count: number): Criterion => ({ field: 'message', operator: 'regex', value: `x{${count}}` });
    const atOf = (logic: Partial<PolicyRule['logic']>) =>
      validatePolicy(policy('p', logic).rule).map(({ path, reason }) => `${path} ${reason}`);
    expect(atOf({ filter_criteria: [parts(700), parts(700)] })).toEqual([]);
    // One that is refused leaves room for the others.
    expect(atOf({ filter_criteria: [parts(700), { any: [parts(900), { not: parts(700) }] }] })).toEqual([
      'logic.filter_criteria.1.any.0.value POLICY_REGEXES_TOO_LARGE',
    ]);
    const steps = [{ filter_criteria: [parts(700)] }, { filter_criteria: [parts(700)] }];
    expect(atOf({ filter_criteria: [], sequence: { steps, within_s: 60 } })).toEqual([]);
    expect(atOf({ filter_criteria: [parts(200)], sequence: { steps, within_s: 60 } })).toEqual([
      'logic.sequence.steps.1.filter_criteria.0.value POLICY_REGEXES_TOO_LARGE',
    ]);
  });

  test('a policy saved before expressions were bounded runs on with less text; what cannot be compiled does not', () => {
    const kept = (value: string) =>
      policy(value, { filter_criteria: [{ field: 'message', operator: 'regex', value }] });
    const before = kept('(?:x{30}){10,30}y|(?:x{30}){10,30}z');
    const endless = kept('(?:x{30}){10,30}y'.repeat(30));
    expect(validatePolicy(before.rule)).toHaveLength(1);
    const set = compilePolicies([endless, before]);
    expect(set.problems).toMatchObject([{ policyId: endless.id, reason: 'POLICY_REGEXES_TOO_LARGE' }]);
    const fits = (message: string) => evaluate(set, testEvent({ message })).map(({ policyId }) => policyId);
    expect(fits(`${'x'.repeat(300)}y`)).toEqual([before.id]);
    expect(fits(`${'x'.repeat(1_000)}${'x'.repeat(300)}y`)).toEqual([]);
  });

  test('a policy with problems is left out and named, the others work', () => {
    const set = compilePolicies([policy('bad', { filter_criteria: bad }), policy('good', {})]);
    expect(set.size).toBe(1);
    expect(set.problems).toHaveLength(5);
    expect(new Set(set.problems.map((problem) => problem.policyId))).toEqual(new Set(['bad']));
    expect(evaluate(set, testEvent()).map((hit) => hit.policyId)).toEqual(['good']);
  });

  test('nesting without end is refused without overflowing', () => {
    let criterion: Criterion = { field: 'a', operator: 'exists' };
    for (let depth = 0; depth < 50_000; depth += 1) criterion = { not: criterion };
    expect(validatePolicy(policy('p', { filter_criteria: [criterion] }).rule)).toHaveLength(1);
  });

  test('criteria without end are refused once', () => {
    const many = Array.from({ length: 200 }, () => ({
      any: Array.from({ length: 200 }, (): Criterion => ({ field: 'a', operator: 'exists' })),
    }));
    expect(validatePolicy(policy('p', { filter_criteria: many }).rule)).toHaveLength(1);
  });
});
