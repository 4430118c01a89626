import { expect, test } from 'vitest';
import { createEventQuota } from './event-quota.ts';

function quotaOf(perSecond: number | undefined) {
  const clock = { ms: 0 };
  const quota = createEventQuota({ perSecond, elapsedMs: () => clock.ms });
  const count = (tenant: string, events: number) => quota.begin(tenant, 0)(events);
  const refused = (tenant: string) => {
    try {
      quota.begin(tenant, 0)(0);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  return { clock, quota, count, refused };
}

test('a tenant may send its quota on average, ten seconds of it at once, and is told when to go on', () => {
  const { clock, count, refused } = quotaOf(100);
  count('loud', 1_500);
  expect(refused('loud')).toMatchObject({ code: 'RATE_LIMITED', retryAfterS: 5 });
  clock.ms = 4_990;
  expect(refused('loud')).toMatchObject({ retryAfterS: 1 });
  clock.ms = 5_010;
  expect(refused('loud')).toBeUndefined();
});

test('over a minute nobody gets more than the quota and one burst, however it is cut up', () => {
  const { clock, count, refused } = quotaOf(100);
  let taken = 0;
  for (; clock.ms < 60_000; clock.ms += 50) {
    if (refused('loud') !== undefined) continue;
    count('loud', 70);
    taken += 70;
  }
  expect(taken).toBeGreaterThanOrEqual(6_900);
  expect(taken).toBeLessThanOrEqual(7_100);
});

test('what one tenant sends is no debt of another, and without a quota there is none', () => {
  const { count, refused } = quotaOf(100);
  count('loud', 5_000);
  expect(refused('quiet')).toBeUndefined();
  const free = quotaOf(undefined);
  free.count('loud', 1e9);
  expect(free.refused('loud')).toBeUndefined();
});

test('tenants that worked off what they sent are forgotten, and others are not', () => {
  const { clock, count, refused } = quotaOf(1);
  count('loud', 10_000);
  for (let n = 0; n < 3_000; n++) {
    clock.ms += 1_000;
    count(`tenant ${n}`, 1);
  }
  expect(refused('loud')).toMatchObject({ code: 'RATE_LIMITED' });
});

test('deliveries that come together share the quota before they are read, and one that fails gives back what it took', () => {
  const { quota, refused } = quotaOf(100);
  const first = quota.begin('loud', 300_000);
  const second = quota.begin('loud', 300_000);
  expect(refused('loud')).toMatchObject({ code: 'RATE_LIMITED' });
  second(0);
  expect(refused('loud')).toBeUndefined();
  first(1_000);
  expect(refused('loud')).toMatchObject({ code: 'RATE_LIMITED' });
});

test('a delivery costs at least what reading its bytes does, however few events they hold', () => {
  const { quota, refused } = quotaOf(100);
  quota.begin('loud', 30_000)(0, 32 * 1_048_576);
  expect(refused('loud')).toMatchObject({ code: 'RATE_LIMITED', retryAfterS: 1 });
  quota.begin('quiet', 30_000)(60, 30_000);
  expect(refused('quiet')).toBeUndefined();
});
