import { BlockList, isIP } from 'node:net';
import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { Criterion, FieldCriterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requiredTextsOf } from './filter-and-group/prefilter.ts';
import { compilePolicies, evaluate } from './policy-set.ts';
import { testEvent } from './test-event.ts';

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
    operator: fc.constant('in' as const),
    value: fc.array(fc.oneof(word, fc.integer({ min: 4, max: 8 })), { minLength: 1, maxLength: 4 }),
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
    value: fc.constantFrom('^a', 'b$', '[0-9]+', 'a|b', '^(a+)+$', '\\.'),
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
        const expected = sources.flatMap(({ id, rule }) => naive(rule, one).map((groupKey) => ({ id, groupKey })));
        expect(evaluate(set, one).map(({ policyId, groupKey }) => ({ id: policyId, groupKey }))).toEqual(expected);
        for (const { id } of expected) {
          const required = requiredTextsOf(
            sources.find((source) => source.id === id)?.rule.logic.filter_criteria ?? [],
          );
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
}): PolicyRule {
  const source = {
    source_type: 'log' as const,
    connector_definition_id: part.integration,
    event_type: part.event_type,
  };
  const { filter_criteria, group_by } = part;
  const logic = { rule_type: 'filter_and_group' as const, filter_criteria, group_by, source };
  return { name: 'p', description: '', type: 'custom', severity: 'low', logic };
}

function naive(rule: PolicyRule, one: ParsedEvent): string[] {
  const { source, filter_criteria: criteria, group_by: groupBy } = rule.logic;
  if (source.connector_definition_id !== '' && source.connector_definition_id !== one.integration) return [];
  if (source.event_type !== '' && source.event_type !== one.event_type) return [];
  if (!criteria.every((item) => naiveFits(item, one))) return [];
  const group = groupBy.map((name) => {
    const texts = naiveTexts(naiveRead(name, one));
    return texts.length > 1 ? JSON.stringify(texts) : (texts[0] ?? '');
  });
  return group.includes('') ? [] : [JSON.stringify(group)];
}

function naiveFits(item: Criterion, one: ParsedEvent): boolean {
  if ('any' in item) return item.any.some((inner) => naiveFits(inner, one));
  if ('all' in item) return item.all.every((inner) => naiveFits(inner, one));
  if ('not' in item) return !naiveFits(item.not, one);
  const values = naiveRead(item.field, one);
  if (item.operator === 'exists') return values.length > 0 === item.value;
  return naiveTexts(values).some((text) => naiveCompare(item, text));
}

function naiveCompare(item: FieldCriterion, text: string): boolean {
  const fold = (one: unknown) => (item.case_sensitive === true ? String(one) : String(one).toLowerCase());
  const number = text.trim() === '' ? Number.NaN : Number(text);
  switch (item.operator) {
    case 'equals':
      return fold(text) === fold(item.value);
    case 'in':
      return (item.value as unknown[]).some((one) => fold(one) === fold(text));
    case 'contains':
      return fold(text).includes(fold(item.value));
    case 'startswith':
      return fold(text).startsWith(fold(item.value));
    case 'endswith':
      return fold(text).endsWith(fold(item.value));
    case 'regex':
      return new RegExp(String(item.value), item.case_sensitive === true ? '' : 'i').test(text);
    case 'cidr': {
      const [base = '', prefix] = String(item.value).split('/');
      const list = new BlockList();
      list.addSubnet(base, Number(prefix), isIP(base) === 4 ? 'ipv4' : 'ipv6');
      return isIP(text) !== 0 && list.check(text, isIP(text) === 4 ? 'ipv4' : 'ipv6');
    }
    case 'gt':
      return number > Number(item.value);
    case 'gte':
      return number >= Number(item.value);
    case 'lt':
      return number < Number(item.value);
    case 'lte':
      return number <= Number(item.value);
    case 'exists':
      return true;
  }
}

function naiveRead(name: string, one: ParsedEvent): unknown[] {
  const column = { user: one.user, src_ip: one.src_ip, action: one.action }[name];
  if (typeof column === 'string' && column !== '' && ['user', 'src_ip', 'action'].includes(name)) return [column];
  if (Object.hasOwn(one.fields, name)) return naiveLeaves(one.fields[name]);
  const [head = '', tail] = name.split('.');
  if (tail === undefined || !Object.hasOwn(one.fields, head)) return [];
  return naiveLeaves(one.fields[head]).flatMap((holder) =>
    typeof holder === 'object' && holder !== null && Object.hasOwn(holder, tail)
      ? naiveLeaves((holder as Record<string, unknown>)[tail])
      : [],
  );
}

function naiveLeaves(of: unknown): unknown[] {
  return [of].flat(8).filter((one) => one !== null && one !== undefined);
}

function naiveTexts(values: unknown[]): string[] {
  return values.filter((one) => typeof one !== 'object').map(String);
}
