import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../storage/schema.ts';
import { createDetectionFixture, type DetectionFixture, failedLogin, guessingRule } from './detection-fixture.ts';

let fixture: DetectionFixture;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture.close());

/** Notes how long the texts of its statements are. */
function watched(tx: Tx, lengths: number[]): Tx {
  return tx.withPlugin({
    transformQuery({ node }) {
      JSON.stringify(node, (_key, value: unknown) => {
        if (typeof value === 'string' && value.length > 1_000_000) lengths.push(value.length);
        return value;
      });
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

test('matches of large events go to the database some megabytes at a time, and so do those of their case', async () => {
  const scope = await fixture.newTenant();
  await fixture.createPolicy(scope, guessingRule());
  const text = 'x'.repeat(262_144);
  const events = Array.from({ length: 60 }, (_, n) => failedLogin(scope, n, { message: text, raw: text }));
  const matches = await fixture.detection.match(events);
  const lengths: number[] = [];
  await fixture.db.system((tx) => fixture.detection.apply(watched(tx, lengths), matches));
  expect(matches).toHaveLength(60);
  expect(lengths.length).toBeGreaterThan(6);
  expect(Math.max(...lengths)).toBeLessThan(10_000_000);
  const [opened] = await fixture.casesOf(scope);
  expect(opened?.event_count).toBe(60);
});
