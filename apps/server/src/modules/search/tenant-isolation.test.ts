import { randomUUID } from 'node:crypto';
import { type SearchFilter, searchCriteriaSchema } from '@airdeck/contracts/search/schema';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../../http/app-error.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { conditionWithin, type EventSelection, paramsWithin, selectEvents } from './event-selection.ts';
import { NOW, randomEvent, randomQuery, scraps } from './random-queries-fixture.ts';

// Two fences stand between tenants: the predicate every selection comes with, and the filter the engine adds by itself.
// Each is tried without the other, so that neither hides a hole in it.

const QUERIES = process.env.AIRDECK_FULL === undefined ? 4_000 : 10_000;
const AT_ONCE = 4;
/** Searches asked in one statement, each of them whole: a statement of its own for each takes most of the time. */
const TOGETHER = 25;
const SEED = 20_261_122;
const TENANT = randomUUID();
const OTHERS = [randomUUID(), randomUUID(), randomUUID()];
const DAY_MS = 86_400_000;

let stores: TestDatabase;
let unfenced: ClickHouseClient;

beforeAll(async () => {
  stores = await createTestDatabase([]);
  const { url, user: username, password, placement } = stores.eventsConnection;
  const clickhouse_settings = { output_format_json_quote_64bit_integers: 0 } as const;
  unfenced = createClient({ url, username, password, database: placement.database, clickhouse_settings });
  // The same events in every tenant: whatever finds one of ours would find theirs.
  const events = fc.sample(randomEvent, { numRuns: 40, seed: SEED });
  await stores.events.insert(
    [TENANT, ...OTHERS].flatMap((tenant) => events.map((event) => eventRow({ tenant, ...event }))),
  );
});
afterAll(async () => {
  await unfenced?.close();
  await stores?.close();
});

const word = fc.oneof(
  scraps,
  fc.constantFrom('root', '1 or 1=1', "') or ('1'='1", '{tenant:UUID}', '\\', '\0', ...OTHERS),
);
const filter = fc.record({
  field: fc.oneof(word, fc.constantFrom('user', 'x.y', 'tenant', '_id', 'message', 'fields.tenant')),
  op: fc.constantFrom<SearchFilter['op']>(
    'is',
    'is_not',
    'exists',
    'not_exists',
    'contains',
    'starts_with',
    'gt',
    'one_of',
  ),
  value: word,
});
const criteria = fc.record({
  query: fc.oneof(
    { weight: 5, arbitrary: randomQuery },
    { weight: 3, arbitrary: scraps },
    { weight: 1, arbitrary: fc.constantFrom(...OTHERS.map((tenant) => `tenant:${tenant} OR *`), '*', 'NOT zzz') },
  ),
  filters: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(filter, { maxLength: 2 }) },
  ),
  integrations: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom('sshd', 'okta', "x' or 1=1:y", 'sshd:authentication'), { maxLength: 3 }),
    },
  ),
});

/** Undefined where the criteria are refused. */
function selectionOf(asked: object): EventSelection | undefined {
  const parsed = searchCriteriaSchema.safeParse(asked);
  if (!parsed.success) return undefined;
  try {
    return selectEvents(parsed.data, { now: NOW });
  } catch (error) {
    if (error instanceof AppError && error.code === 'QUERY_INVALID') return undefined;
    throw error;
  }
}

type Counted = { asked: number; own: number; foreign: number };
type Asked = { readonly condition: string; readonly params: Readonly<Record<string, unknown>> };
const COUNTS = 'countIf(tenant = {own:UUID}) as own, countIf(tenant != {own:UUID}) as foreign';

/** Several searches in one statement. Each brings its parameters under names of its own. */
function together(asked: readonly Asked[]): { sql: string; params: Record<string, unknown> } {
  const params: Record<string, unknown> = { own: TENANT };
  const parts = asked.map((one, at) => {
    const renamed = new Set(Object.keys(one.params));
    for (const [name, value] of Object.entries(one.params)) params[`q${at}_${name}`] = value;
    const condition = one.condition.replaceAll(/\{(\w+):/g, (all, name: string) =>
      renamed.has(name) ? `{q${at}_${name}:` : all,
    );
    return `select ${at} as asked, ${COUNTS} from events where ${condition}`;
  });
  return { sql: parts.join(' union all '), params };
}

/** Only the predicates of the selections. */
async function throughPredicate(selections: readonly EventSelection[]): Promise<Counted[]> {
  const stretch = { from: NOW - 30 * DAY_MS, until: NOW + DAY_MS };
  const { sql, params } = together(
    selections.map((selection) => ({
      condition: conditionWithin(selection),
      params: paramsWithin(selection, stretch),
    })),
  );
  const result = await unfenced.query({
    query: sql,
    query_params: { ...params, tenant: TENANT },
    format: 'JSONEachRow',
  });
  return await result.json<Counted>();
}

/** Only the engine's filter. */
async function throughFence(selections: readonly EventSelection[]): Promise<Counted[]> {
  return await stores.events.query<Counted>({ tenant: TENANT, ...together(selections) });
}

test(`${QUERIES} random and hostile searches see no event of another tenant`, { timeout: 900_000 }, async () => {
  const asked = fc.sample(criteria, { numRuns: QUERIES, seed: SEED });
  const selections = asked.flatMap((one) => selectionOf(one) ?? []);
  const portions = Array.from({ length: Math.ceil(selections.length / TOGETHER) }, (_, at) =>
    selections.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );
  const left = [...portions.entries()];
  let finding = 0;
  async function worker(): Promise<void> {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [index, portion] = next;
      const counted = await (index % 2 === 0 ? throughPredicate(portion) : throughFence(portion));
      expect(new Set(counted.map(({ asked: at }) => at)).size).toBe(portion.length);
      const foreign = counted.filter((one) => one.foreign > 0).map(({ asked: at }) => portion[at]);
      expect(foreign).toEqual([]);
      finding += counted.filter(({ own }) => own > 0).length;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  // Searches that are all refused, or find nothing at all, would show little.
  expect(selections.length).toBeGreaterThan(QUERIES / 2);
  expect(finding).toBeGreaterThan(QUERIES / 5);
});

test('both fences could be seen to fail: without either, the other tenants are there', async () => {
  const result = await unfenced.query({
    query: `select ${COUNTS} from events`,
    query_params: { own: TENANT },
    format: 'JSONEachRow',
  });
  expect(await result.json()).toEqual([{ own: 40, foreign: 120 }]);
});
