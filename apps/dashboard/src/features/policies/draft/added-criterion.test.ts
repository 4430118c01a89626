import type { Criterion } from '@airdeck/contracts/policies/schema';
import { expect, test } from 'vitest';
import { rule } from '../policy-fixtures.ts';
import { looksAt, withCriterion } from './added-criterion.ts';
import { draftOf, ruleOf } from './policy-draft.ts';

const draftWith = (filter_criteria: Criterion[]) => {
  const one = rule(1);
  return draftOf({ ...one, logic: { ...one.logic, filter_criteria } });
};
const user = (value: string | string[], more: object = {}): Criterion => ({
  ...{ field: 'user', operator: Array.isArray(value) ? 'in' : 'equals', value },
  ...more,
});
const host: Criterion = { field: 'host', operator: 'equals', value: 'bastion' };

test.each<[string, Criterion[], Criterion[]]>([
  ['as one more condition', [host], [host, user('kai')]],
  ['as one more of those one of which is enough', [{ any: [host, host] }], [{ any: [host, host, user('kai')] }]],
  ['as one more of those none of which may fit', [{ not: host }], [{ not: { any: [host, user('kai')] } }]],
  ['as one more value, or nothing would fit', [host, user('rita')], [host, user(['rita', 'kai'])]],
  ['as one more of several values', [user(['rita', 'ana'])], [user(['rita', 'ana', 'kai'])]],
  [
    'not as a value of which all must fit',
    [user(['a'], { match: 'all' })],
    [user(['a'], { match: 'all' }), user('kai')],
  ],
  [
    'not into another comparison',
    [user('k', { operator: 'contains' })],
    [user('k', { operator: 'contains' }), user('kai')],
  ],
])('a value that was seen is added %s', (_, before, after) => {
  const draft = withCriterion(draftWith(before), { field: 'user', value: 'kai' });
  expect(ruleOf(draft).logic.filter_criteria).toEqual(after);
});

test('what the policy asks for already is not added again, whatever its case, unless the policy minds that', () => {
  const draft = draftWith([user(['rita', 'Kai'])]);
  expect(withCriterion(draft, { field: 'user', value: 'kai' })).toBe(draft);
  const minding = draftWith([user(['rita', 'Kai'], { case_sensitive: true })]);
  expect(withCriterion(minding, { field: 'user', value: 'kai' })).not.toBe(minding);
});

test('where a value was seen is looked at by a policy of any source, of that integration, or with a step there', () => {
  const seen = { connector_definition_id: 'sshd', event_type: 'authentication' };
  const at = (connector_definition_id: string, event_type: string) => ({
    ...rule(1).logic,
    source: { source_type: 'log' as const, connector_definition_id, event_type },
  });
  const draft = (logic: ReturnType<typeof at>) => draftOf({ ...rule(1), logic });
  expect(looksAt(draft(at('', '')), seen)).toBe(true);
  expect(looksAt(draft(at('sshd', '')), seen)).toBe(true);
  expect(looksAt(draft(at('sshd', 'session')), seen)).toBe(false);
  expect(looksAt(draft(at('okta', '')), seen)).toBe(false);
  const { threshold: _, ...counting } = at('okta', '');
  const steps = [{ filter_criteria: [host] }, { filter_criteria: [host], source: at('sshd', '').source }];
  expect(looksAt(draftOf({ ...rule(1), logic: { ...counting, sequence: { steps, within_s: 60 } } }), seen)).toBe(true);
});
