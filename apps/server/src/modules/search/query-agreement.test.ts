import { randomUUID } from 'node:crypto';
import { compileQuery } from '@airdeck/query-language/compile';
import { parseQuery } from '@airdeck/query-language/parse';
import { createMatcher } from '@airdeck/query-language/testing/matches';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import type { EventRow } from '../../storage/events-store.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { NOW, randomEvent, randomQuery, scraps } from './random-queries-fixture.ts';

// The matcher says what the language means, and the store is what people ask; both must find the same events.

const TENANT = randomUUID();
const OTHER_TENANT = randomUUID();
const SEED = 20_261_121;
const EVENTS = 60;

let stores: TestDatabase;
let rows: EventRow[];

beforeAll(async () => {
  stores = await createTestDatabase([]);
  rows = fc.sample(randomEvent, { numRuns: EVENTS, seed: SEED }).map((parts) => eventRow({ tenant: TENANT, ...parts }));
  await stores.events.insert(rows);
  await stores.events.insert([eventRow({ tenant: OTHER_TENANT, message: 'foreign root' })]);
});
afterAll(() => stores.close());

function read(asking: string) {
  const parsed = parseQuery(asking);
  if (!parsed.ok) throw new Error(`${asking}: ${parsed.problem.message}`);
  const compiled = compileQuery(parsed.tree, { now: NOW });
  const matcher = createMatcher(parsed.tree, { now: NOW });
  if (!compiled.ok || !matcher.ok) throw new Error(`${asking} cannot be compiled.`);
  return { compiled, matches: matcher.matches };
}

async function foundIds(asking: string): Promise<string[]> {
  const { compiled } = read(asking);
  const sql = `select toString(id) as id from events where ${compiled.sql}`;
  const found = await stores.events.query<{ id: string }>({ tenant: TENANT, sql, params: compiled.params });
  return found.map(({ id }) => id).sort();
}

function expectedIds(asking: string): string[] {
  const { matches } = read(asking);
  return rows.flatMap((row) => (matches(row) ? [row.id] : [])).sort();
}

test('the store finds exactly the events the matcher takes, and never one of another tenant', async () => {
  let some = 0;
  await fc.assert(
    fc.asyncProperty(randomQuery, async (asking) => {
      const expected = expectedIds(asking);
      if (expected.length > 0 && expected.length < EVENTS) some += 1;
      expect(await foundIds(asking)).toEqual(expected);
    }),
    { numRuns: 120, seed: SEED },
  );
  // Agreement about nothing, or about everything, would show little.
  expect(some).toBeGreaterThan(30);
});

test('whatever is accepted of hostile texts runs in the store, and finds what the matcher finds', async () => {
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(scraps, async (asking) => {
      const parsed = parseQuery(asking);
      if (!parsed.ok || !compileQuery(parsed.tree, { now: NOW }).ok) return;
      ran += 1;
      expect(await foundIds(asking)).toEqual(expectedIds(asking));
    }),
    { numRuns: 300, seed: SEED },
  );
  expect(ran).toBeGreaterThan(30);
});

it.each([
  ['a long text beyond ASCII', `"${'ü'.repeat(8_100)}"`],
  [
    '500 values of one field',
    `x:(${Array.from({ length: 499 }, (_, index) => `10.0.${index % 250}.${index % 7}`).join(' OR ')} OR root)`,
  ],
  ['many fields', Array.from({ length: 50 }, (_, index) => `f${index}.a:root`).join(' OR ')],
  ['the deepest nesting', `${'NOT ('.repeat(25)}root${')'.repeat(25)}`],
  ['the longest path', 'a.b.c.d.e.f.g.h:x OR _exists_:a.b.c.d.e.f.g.h'],
])('runs %s', async (_, asking) => {
  expect(await foundIds(asking)).toEqual(expectedIds(asking));
});
