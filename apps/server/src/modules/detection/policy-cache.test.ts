import { expect, test } from 'vitest';
import { quietLog } from '../../storage/test-database.ts';
import { guessingRule } from './detection-fixture.ts';
import { createPolicyCache } from './policy-cache.ts';

/** Of ten policies, or as many as the tenant's name says; notes whose rules were asked for. */
function keeping(policiesMax: number) {
  const loaded: string[] = [];
  const cache = createPolicyCache({
    load: (tenant, knownVersion) => {
      if (knownVersion === 1) return Promise.resolve({ version: 1 });
      loaded.push(tenant);
      const count = Number(tenant.split(' with ')[1] ?? 10);
      const rules = Array.from({ length: count }, (_, n) => ({ id: `${tenant} ${n}`, rule: guessingRule() }));
      return Promise.resolve({ version: 1, rules });
    },
    now: () => new Date('2026-03-01T12:00:00.000Z'),
    log: quietLog,
    policiesMax,
  });
  /** Whether its policies were still there. */
  const has = async (tenant: string) => {
    const before = loaded.length;
    await cache.setOf(tenant);
    return loaded.length === before;
  };
  return { cache, loaded, has };
}

test('more policies than there is room for push out those of tenants that were not asked for longest', async () => {
  const { has } = keeping(35);
  for (const tenant of ['a', 'b', 'c']) await has(tenant);
  expect(await has('a')).toBe(true);
  await has('d');
  for (const tenant of ['a', 'c', 'd']) expect(await has(tenant), tenant).toBe(true);
  expect(await has('b')).toBe(false);
});

test('a set that is larger than all the room there is stays until the next one comes', async () => {
  const { has } = keeping(35);
  await has('a');
  await has('large with 50');
  expect(await has('large with 50')).toBe(true);
  expect(await has('a')).toBe(false);
  expect(await has('large with 50')).toBe(false);
});

test('tenants without policies take room too', async () => {
  const { has } = keeping(35);
  for (let n = 0; n < 40; n++) await has(`${n} with 0`);
  expect(await has('39 with 0')).toBe(true);
  expect(await has('0 with 0')).toBe(false);
});

test('a set that is looked at again, or was pushed out and announced as changed, counts once', async () => {
  const { cache, has } = keeping(35);
  for (let round = 0; round < 20; round++) {
    cache.markStale('a');
    expect(await has('a')).toBe(round > 0);
  }
  for (const tenant of ['b', 'c', 'd']) await has(tenant);
  cache.markStale('a');
  cache.markAllStale();
  expect(await has('a')).toBe(false);
  for (const tenant of ['c', 'd', 'a']) expect(await has(tenant), tenant).toBe(true);
});
