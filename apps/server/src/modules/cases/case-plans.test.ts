import { caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import { sql } from 'kysely';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tx } from '../../storage/schema.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { caseFigures } from './case-figures.ts';
import { readOverview } from './case-overview.ts';
import { readCase, readCasePage, readFacetCells, readRelated } from './case-reads.ts';
import { caseOnTheWire } from './case-view.ts';

const DAY_MS = 86_400_000;
const tenants = [v7(), v7(), v7()];
const [tenant = ''] = tenants;
const scope = trustedTenantScope(tenant);
const end = new Date();
const start = new Date(end.getTime() - 30 * DAY_MS);

let stores: TestDatabase;

/** Of the size that cases have: with an empty text each, reading the table would be cheaper than any index. */
const insertCases = `
insert into case_record (id, tenant_id, number, alert_type, name, description, category, severity, severity_rank, status,
  log_sources, meta, opened_at, time_opened, time_closed, closed_by_person, close_reason, time_updated, search_text)
select gen_random_uuid(), t.id, n, 'manual', 'Several failed sign-ins', repeat('More about it. ', 20), 'access',
  (array['low', 'medium', 'high', 'critical'])[1 + n % 4], n % 4, case when n % 20 = 0 then 'open' else 'closed' end,
  array['okta'], jsonb_build_object('user', 'user-' || n % 10, 'src_ip', '203.0.113.' || n % 200), at, at, case when n % 20 > 0 then at end, case when n % 20 > 0 then true end,
  case when n % 20 > 0 then 'benign' end, at, 'case-' || n || repeat(' more about it', 20)
from unnest($1::uuid[]) as t(id), generate_series(1, 5000) as n,
  lateral (select now() - make_interval(mins => n * 12) as at) as times`;

/** More than an answer of the overview names, each with some of the cases. */
const insertPolicies = `
with watching as (
  insert into policy (id, tenant_id, rule)
  select gen_random_uuid(), t.id, jsonb_build_object('name', 'Watch', 'description', repeat('Why. ', 100), 'severity', 'low',
    'sources', '[]'::jsonb, 'techniques', jsonb_build_array('T1110.001', 'T' || 1000 + n))
  from unnest($1::uuid[]) as t(id), generate_series(1, 200) as n
  returning id, tenant_id, substr(rule #>> '{techniques,1}', 2)::int - 1001 as place
)
update case_record c set policy_id = w.id from watching w
where w.tenant_id = c.tenant_id and c.number % 10 = 0 and c.number / 10 % 200 = w.place`;

beforeAll(async () => {
  stores = await createTestDatabase();
  const owner = new pg.Client({ connectionString: stores.url });
  await owner.connect();
  const skuInfo = JSON.stringify({ sku_name: 'test' });
  const rows = tenants.map((id) => ({ id, name: 'Example Ltd', managed_by: null, sku_info: skuInfo, created_at: end }));
  await stores.database.system((tx) => tx.insertInto('tenant').values(rows).execute());
  // What is not flushed yet cannot be marked as visible to all, and indexes alone would not do.
  await owner.query('set synchronous_commit = on');
  await owner.query('alter table case_record no force row level security');
  await owner.query(insertCases, [tenants]);
  await owner.query('alter table policy no force row level security');
  await owner.query(insertPolicies, [tenants]);
  await owner.query('alter table policy force row level security');
  await owner.query('alter table case_record force row level security');
  await owner.query('vacuum analyze policy');
  await owner.query('analyze case_group_value');
  await vi.waitFor(() => markVisible(owner), { timeout: 60_000, interval: 250 });
  await owner.end();
});
afterAll(() => stores.close());

/** As autovacuum leaves them. A transaction of another database that began before these rows holds it up. */
async function markVisible(owner: pg.Client): Promise<void> {
  await owner.query('vacuum analyze case_record');
  const { rows } = await owner.query(
    `select relpages, relallvisible from pg_class where oid = 'case_record'::regclass`,
  );
  expect(rows[0].relpages).toBeGreaterThan(0);
  expect(rows[0].relallvisible).toBe(rows[0].relpages);
}

async function someCase(tx: Tx): Promise<string> {
  const { id } = await tx
    .selectFrom('case_record')
    .select('id')
    .where('tenant_id', '=', tenant)
    .where('number', '=', 4321)
    .executeTakeFirstOrThrow();
  return id;
}

/** How often the cases were read from beginning to end. */
async function scansOf(read: (tx: Tx) => Promise<unknown>): Promise<number> {
  return await stores.database.read(tenant, async (tx) => {
    // The connection may have counted others that are not reported yet.
    const before = await countedBy(tx);
    await read(tx);
    return (await countedBy(tx)) - before;
  });
}

async function countedBy(tx: Tx): Promise<number> {
  const { rows } = await sql<{ scans: number }>`
    select seq_scan::int as scans from pg_stat_xact_user_tables where relname = 'case_record'`.execute(tx);
  return rows[0]?.scans ?? 0;
}

async function caseRowsFetched(tx: Tx): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(idx_tup_fetch, 0)::int as rows from pg_stat_xact_user_tables where relname = 'case_record'`.execute(
    tx,
  );
  return rows[0]?.rows ?? 0;
}

async function analyzeStories(): Promise<void> {
  const owner = new pg.Client({ connectionString: stores.url });
  await owner.connect();
  await owner.query('analyze case_activity');
  await owner.end();
}

async function storyRowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables where relname = 'case_activity'`.execute(tx);
  return rows[0]?.rows ?? 0;
}

const since = { start_time: start.toISOString() };
const figuresOf = { start, end, limit: 25, buckets: 30, bucketMs: (end.getTime() - start.getTime()) / 30 };

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  ['the overview', (tx) => readOverview(tx, scope, { start, end, timeZone: 'UTC' })],
  ['facets of all cases', (tx) => readFacetCells(tx, scope, caseListQuerySchema.parse({}))],
  ['facets of a time', (tx) => readFacetCells(tx, scope, caseListQuerySchema.parse(since))],
  ['facets of what is late', (tx) => readFacetCells(tx, scope, caseListQuerySchema.parse({ figure: 'late' }))],
  ['facets of a technique', (tx) => readFacetCells(tx, scope, caseListQuerySchema.parse({ technique: 'T1110' }))],
  ['a page', (tx) => readCasePage(tx, scope, caseListQuerySchema.parse({}))],
  ['figures of the home page', (tx) => caseFigures(tx, scope, figuresOf)],
  ['a page of a time', (tx) => readCasePage(tx, scope, caseListQuerySchema.parse(since))],
  ['a page of a technique', (tx) => readCasePage(tx, scope, caseListQuerySchema.parse({ technique: 'T1110' }))],
  [
    'a page of a technique that few name',
    (tx) => readCasePage(tx, scope, caseListQuerySchema.parse({ technique: 'T1042', ...since })),
  ],
  ['a page by severity', (tx) => readCasePage(tx, scope, caseListQuerySchema.parse({ sort: '-severity' }))],
])('%s does not read the whole table of cases', async (_name, read) => {
  expect(await scansOf(read)).toBe(0);
});

test('figures of the home page read no cases but the newest it lists', async () => {
  const read = await stores.database.read(tenant, async (tx) => {
    const before = await caseRowsFetched(tx);
    await caseFigures(tx, scope, figuresOf);
    return (await caseRowsFetched(tx)) - before;
  });
  expect(read).toBeLessThanOrEqual(figuresOf.limit);
});

test('facets of a technique read no other cases than its own, and none of them whole', async () => {
  const query = caseListQuerySchema.parse({ technique: 'T1042', ...since });
  await stores.database.read(tenant, async (tx) => {
    const before = await caseRowsFetched(tx);
    const cells = await readFacetCells(tx, scope, query);
    expect(cells.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0);
    expect((await caseRowsFetched(tx)) - before).toBeLessThan(10);
  });
});

test('the count of scans counts', async () => {
  const every = async (tx: Tx) => {
    await sql`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(
      tx,
    );
    await sql`select max(description) from case_record`.execute(tx);
  };
  expect(await scansOf(every)).toBe(1);
});

test('the severities of a page are read without the rest of the stories', async () => {
  const cases = await stores.database.tenant(tenant, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from case_record where tenant_id = ${tenant} order by time_opened desc limit 25`.execute(tx);
    const ids = rows.map((row) => row.id);
    await sql`
      insert into case_activity (id, tenant_id, case_id, at, username, kind, text, data)
      select gen_random_uuid(), ${tenant}, c.id, now() + make_interval(secs => n), 'ada@example.com',
        case n when 1 then 'opened' when 77 then 'severity_changed' else 'commented' end, '', '{"from": "low", "to": "high"}'
      from unnest(${ids}::uuid[]) as c(id), generate_series(1, 200) as n`.execute(tx);
    return ids.length;
  });
  await analyzeStories();
  await stores.database.read(tenant, async (tx) => {
    const before = await storyRowsRead(tx);
    const page = await readCasePage(tx, scope, caseListQuerySchema.parse({ limit: cases }));
    expect(page.map(({ severity_opened, severity_changes }) => [severity_opened, severity_changes])).toEqual(
      Array.from({ length: cases }, () => ['low', [expect.objectContaining({ to: 'high' })]]),
    );
    expect((await storyRowsRead(tx)) - before).toBeLessThan(4 * cases);
  });
});

test('of a case whose severity is changed all the time the opening one and the newest changes are read, and no others', async () => {
  const { id, changes } = await stores.database.tenant(tenant, async (tx) => {
    // As it comes: every case has a story, most were changed once or never. The planner goes by their mean.
    await sql`
      insert into case_activity (id, tenant_id, case_id, at, username, kind, text, data)
      select gen_random_uuid(), tenant_id, id, time_opened, 'system', kind, '', '{"from": "low", "to": "high"}'
      from case_record, unnest(array['opened', 'commented', 'severity_changed']) as kind
      where tenant_id = ${tenant} and number <> 4321 and (kind <> 'severity_changed' or number % 2 = 0)
      order by time_opened`.execute(tx);
    const { rows } = await sql<{ id: string; at: Date; username: string; from: string; to: string }>`
      insert into case_activity (id, tenant_id, case_id, at, username, kind, text, data)
      select gen_random_uuid(), ${tenant}, ${await someCase(tx)}, now() + make_interval(secs => n / 2), 'person-' || n,
        'severity_changed', '', jsonb_build_object('from', (array['low', 'medium', 'high'])[1 + n % 3], 'to', 'critical')
      from generate_series(1, 2000) as n
      returning id, at, username, data ->> 'from' as "from", data ->> 'to' as "to"`.execute(tx);
    // Two at a time have the same moment, so that the id has to decide.
    const inOrder = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
    return { id: await someCase(tx), changes: inOrder };
  });
  await analyzeStories();
  await stores.database.read(tenant, async (tx) => {
    const before = await storyRowsRead(tx);
    const row = (await readCase(tx, scope, id)) ?? expect.fail();
    expect((await storyRowsRead(tx)) - before).toBeLessThan(110);
    const { severity_history: history, time_opened } = caseOnTheWire(row, end);
    expect(history).toEqual([
      { severity: changes[0]?.from, at: time_opened, username: 'system' },
      ...changes.slice(-100).map(({ to, at, username }) => ({ severity: to, at: at.toISOString(), username })),
    ]);
  });
});

test('related cases come from the index of group values, and no other case is read', async () => {
  await stores.database.read(tenant, async (tx) => {
    const id = await someCase(tx);
    const counted = async () => {
      const { rows } = await sql<{ relname: string; all: number; fetched: number }>`
        select relname, seq_scan::int as "all", (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as fetched
        from pg_stat_xact_user_tables where relname in ('case_record', 'case_group_value') order by 1`.execute(tx);
      return rows;
    };
    const before = await counted();
    const related = await readRelated(tx, scope, { id });
    const after = await counted();
    expect(related).toHaveLength(20);
    expect(after.map(({ relname, all }, n) => [relname, all - (before[n]?.all ?? 0)])).toEqual([
      ['case_group_value', 0],
      ['case_record', 0],
    ]);
    const fetched = after.reduce((sum, { fetched: count }) => sum + count, 0);
    expect(fetched - before.reduce((sum, { fetched: count }) => sum + count, 0)).toBeLessThan(200);
  });
});

test('related cases are those whose group values contain one of the case', async () => {
  await stores.database.read(tenant, async (tx) => {
    const id = await someCase(tx);
    const { rows } = await sql<{ id: string }>`
      select c.id from case_record o join case_record c on c.tenant_id = o.tenant_id and c.id <> o.id
      where o.id = ${id} and exists (
        select from jsonb_each(o.meta) v where c.meta @> jsonb_build_object(v.key, v.value))
      order by c.time_opened desc, c.id desc limit 20`.execute(tx);
    expect((await readRelated(tx, scope, { id })).map((one) => one.id)).toEqual(rows.map((row) => row.id));
  });
});
