import { compilePolicies } from '@airdeck/detection/policy-set';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { failedLogin, guessingRule } from './detection-fixture.ts';
import { createEventMatcher } from './event-matcher.ts';

test('others have their turn between policies whose expressions take long, also within one event', async () => {
  const slow = guessingRule({ filter_criteria: [{ field: 'message', operator: 'regex', value: '[ab]{0,300}c' }] });
  const sources = Array.from({ length: 20 }, (_, n) => ({ id: `slow ${n}`, rule: slow }));
  const set = compilePolicies([...sources, { id: 'quick', rule: guessingRule() }]);
  const match = createEventMatcher({ cache: { setOf: () => Promise.resolve(set) } });
  const scope = trustedTenantScope(v7());
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const matches = await match([failedLogin(scope, 0, { message: 'ab'.repeat(131_072) })]);
  isDone = true;
  expect(matches.map(({ policyId }) => policyId)).toEqual(['quick']);
  // Without, there is one: after the event.
  expect(turns).toBeGreaterThan(5);
});
