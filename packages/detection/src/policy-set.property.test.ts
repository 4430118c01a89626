import type { Criterion, FieldCriterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cheapest, requirementsOf } from './filter-and-group/prefilter.ts';
import { compilePolicies, evaluate } from './policy-set.ts';
import { testEvent } from './test-event.ts';
import { naiveGroups } from './testing/naive-evaluation.ts';

// A small world, so that policies and events meet often.
const word = fc.constantFrom('a', 'A', 'Ba', 'root', 'Rooted', 'uprooted', '5', '192.0.2.7', '2001:db8::7');
const fieldName = fc.constantFrom(
  'user',
  'user',
  'src_ip',
  'x',
  'list',
  'action',
  'x',
  'x.y',
  'list',
  '__proto__',
  'constructor',
);

const textCriterion: fc.Arbitrary<FieldCriterion> = fc.record({
  field: fieldName,
  operator: fc.constantFrom('equals', 'contains', 'startswith', 'endswith'),
  value: word,
  case_sensitive: fc.boolean(),
});

const fieldCriterion: fc.Arbitrary<FieldCriterion> = fc.oneof(
  { weight: 5, arbitrary: textCriterion },
  fc.record({
    field: fieldName,
    operator: fc.constantFrom('in', 'contains', 'startswith', 'endswith'),
    value: fc.array(fc.oneof(word, fc.integer({ min: 4, max: 8 })), { minLength: 1, maxLength: 4 }),
    match: fc.constantFrom('any', 'all'),
    case_sensitive: fc.boolean(),
  }),
  fc.record({
    field: fc.oneof(fieldName, fc.constant('*')),
    operator: fc.constantFrom('equals', 'contains', 'startswith', 'endswith'),
    value: word,
  }),
  fc.record({
    field: fieldName,
    operator: fc.constant('wildcard' as const),
    value: fc.constantFrom('*oot*', 'r?ot', '*', '?', 'root*d', '*a', 'up*e?', '\\*oot', '**5', 'uproote?'),
    case_sensitive: fc.boolean(),
  }),
  fc.record({ field: fieldName, operator: fc.constant('empty' as const) }),
  fc.record({
    field: fieldName,
    operator: fc.constantFrom('equals', 'contains', 'startswith', 'endswith'),
    value_field: fieldName,
    case_sensitive: fc.boolean(),
  }),
  fc.record({ field: fieldName, operator: fc.constant('exists' as const), value: fc.boolean() }),
  fc.record({
    field: fieldName,
    operator: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
    value: fc.integer({ min: 4, max: 8 }),
  }),
  fc.record({
    field: fieldName,
    operator: fc.constant('regex' as const),
    value: fc.constantFrom('^a', 'b$', '[0-9]+', 'a|b', '^(a+)+$', '\\.', 'rooted$', '(up)?root.d', 'uproots?'),
    case_sensitive: fc.boolean(),
  }),
  fc.record({
    field: fieldName,
    operator: fc.constant('cidr' as const),
    value: fc.constantFrom('192.0.2.0/24', '198.51.100.0/24', '2001:db8::/32'),
  }),
);

const { criterion } = fc.letrec<{ criterion: Criterion }>((tie) => ({
  criterion: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 8, arbitrary: fieldCriterion },
    { weight: 3, arbitrary: fc.record({ any: fc.array(tie('criterion'), { minLength: 1, maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ all: fc.array(tie('criterion'), { minLength: 1, maxLength: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ not: tie('criterion') }) },
  ),
}));

const policies = fc.array(
  fc.record({
    filter_criteria: fc.array(criterion, { minLength: 1, maxLength: 2 }),
    group_by: fc.uniqueArray(fieldName, { maxLength: 1 }),
    integration: fc.constantFrom('', '', 'sshd', 'okta'),
    event_type: fc.constantFrom('', '', 'authentication', 'log'),
    also: fc.constantFrom('', 'sshd', 'okta'),
  }),
  { minLength: 1, maxLength: 8 },
);

const leaf = fc.oneof(word, fc.integer({ min: 4, max: 8 }), fc.boolean(), fc.constant(null));
const value = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }),
  fc.record({ y: leaf }),
  fc.array(fc.record({ y: leaf })),
);
const fields = fc
  .dictionary(fc.constantFrom('x', 'x.y', 'list', 'user', 'src_ip', 'constructor'), value)
  .map((one) => ({ ...one }) as Record<string, unknown>);
const event = fc
  .record({
    integration: fc.constantFrom('sshd', 'okta', ''),
    event_type: fc.constantFrom('authentication', 'log', ''),
    user: word,
    src_ip: fc.constantFrom('', '192.0.2.7', '198.51.100.1'),
    action: fc.constantFrom('a', 'b', ''),
    fields,
  })
  .map(testEvent);

test('routing, prefilter and compiled predicates find exactly what a naive reading of the policies finds', () => {
  const found = { whole: 0, part: 0, nothing: 0 };
  fc.assert(
    fc.property(policies, fc.array(event, { minLength: 5, maxLength: 12 }), (parts, events) => {
      const sources = parts.map((part, index) => ({ id: `p${index}`, rule: ruleOf(part) }));
      const set = compilePolicies(sources);
      expect(set.problems).toEqual([]);
      for (const one of events) {
        const expected = sources.flatMap(({ id, rule }) =>
          naiveGroups(rule, one).map((groupKey) => ({ id, groupKey })),
        );
        expect(evaluate(set, one).map(({ policyId, groupKey }) => ({ id: policyId, groupKey }))).toEqual(expected);
        for (const { id } of expected) {
          const criteria = sources.find((source) => source.id === id)?.rule.logic.filter_criteria ?? [];
          const [required] =
            cheapest(
              requirementsOf(criteria, () => 1),
              () => 1,
            ) ?? [];
          found[required === undefined ? 'nothing' : required.whole ? 'whole' : 'part'] += 1;
        }
      }
    }),
    { numRuns: 2000 },
  );
  // The comparison means nothing for a way of finding policies that hardly ever finds one.
  expect(found.whole).toBeGreaterThan(30);
  expect(found.part).toBeGreaterThan(30);
  expect(found.nothing).toBeGreaterThan(30);
});

function ruleOf(part: {
  filter_criteria: Criterion[];
  group_by: string[];
  integration: string;
  event_type: string;
  also: string;
}): PolicyRule {
  const source = {
    source_type: 'log' as const,
    connector_definition_id: part.integration,
    event_type: part.event_type,
    ...(part.also === '' ? {} : { also: [{ connector_definition_id: part.also, event_type: '' }] }),
  };
  const { filter_criteria, group_by } = part;
  const logic = { rule_type: 'filter_and_group' as const, filter_criteria, group_by, source };
  return { name: 'p', description: '', type: 'custom', severity: 'low', logic };
}
