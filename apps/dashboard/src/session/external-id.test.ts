import { expect, test } from 'vitest';
import { waitForExternalId } from './external-id.ts';

function setUp(appearsAfter: number) {
  const clock = { now: 0, waits: [] as number[], asked: 0 };
  const found = waitForExternalId(
    async () => {
      clock.asked += 1;
      return clock.asked > appearsAfter ? 'id' : undefined;
    },
    {
      now: () => clock.now,
      random: () => 0,
      wait: async (milliseconds) => {
        clock.waits.push(milliseconds);
        clock.now += milliseconds;
      },
    },
  );
  return { clock, found };
}

test('an id that is there at once costs no wait', async () => {
  const { clock, found } = setUp(0);
  expect(await found).toBe('id');
  expect(clock.waits).toEqual([]);
});

test('the wait grows from half a second to three', async () => {
  const { clock, found } = setUp(7);
  expect(await found).toBe('id');
  expect(clock.waits).toEqual([500, 750, 1125, 1687.5, 2531.25, 3000, 3000]);
});

test('it gives up within thirty seconds', async () => {
  const { clock, found } = setUp(Number.POSITIVE_INFINITY);
  expect(await found).toBeUndefined();
  expect(clock.now).toBeLessThanOrEqual(30_000);
  expect(clock.now).toBeGreaterThan(26_000);
});
