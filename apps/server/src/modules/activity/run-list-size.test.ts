import { playbookRunListSchema } from '@airdeck/contracts/activity/schema';
import { listRunsQuery } from '@airdeck/engine/reads';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { type RunPage, runsOfPlaybookQuery } from './run-pages.ts';

const RUNS = 100_000;
const PLAYBOOKS = 200;
/** Every second run is of this one. */
const BUSY = '018f0000-0000-7000-9000-000000000000';
/** Nothing has this id. */
const NONE = '018f0000-0000-7000-a000-000000000000';
const RARE = '018f0000-0000-7000-9000-000000000007';

let server: TestServer;
let tenant: string;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  const [scale, playbooks] = [sql.raw(String(RUNS)), sql.raw(String(PLAYBOOKS))];
  await server.stores.database.system(async (tx) => {
    await sql`insert into engine.definition (tenant_id, hash, body, traits) values (${tenant}, 'h', '{}', '{}')`.execute(
      tx,
    );
    await sql`
      insert into playbook (id, tenant_id, version, definition)
      select ('018f0000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, ${tenant}::uuid, 1, '{}'
      from generate_series(0, ${playbooks} - 1) n`.execute(tx);
    await sql`
      insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, trigger, priority, dry_run, created_at, updated_at, started_at, finished_at)
      select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${tenant}::uuid, 'playbook', 'Block it', 'h',
        case when n % 10000 = 1 then 'running' when n % 5000 = 0 then 'error' else 'success' end, '{}',
        '{"trigger_type":"manual","username":"ann@example.com","user_tenant_id":null,"user_tenant_name":null,"case_id":null,"acts_as":null,"response_name":null,"connector_id":null}',
        0, false, now(), now(), now(), case when n % 10000 = 1 then null else now() end
      from generate_series(1, ${scale}) n`.execute(tx);
    await sql`
      insert into playbook_run (tenant_id, run_id, playbook_id, version, dry_run)
      select ${tenant}::uuid, ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ('018f0000-0000-7000-9000-' || lpad(to_hex(case when n % 2 = 0 then 0 else (n / 2) % ${playbooks} end), 12, '0'))::uuid,
        1, false
      from generate_series(1, ${scale}) n`.execute(tx);
  });
  // As autovacuum does after so many rows.
  const owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
  await owner.query('vacuum analyze engine.run, playbook_run');
  await owner.end();
}, 180_000);
afterAll(() => server?.close());

type Node = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  'Actual Loops': number;
  Plans?: Node[];
};

/** Rows of the two tables that the page made the database read. */
function rowsRead(node: Node): number {
  const own =
    node['Relation Name'] === undefined
      ? 0
      : (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return own + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
}

/** The plan of the list's own query, as it was carried out. */
async function planOf(page: Partial<RunPage> & { playbookId: string }): Promise<Node> {
  const { text, values } = runsOfPlaybookQuery({
    ...{ tenantId: tenant, skip: 0, limit: 15, statuses: undefined, q: undefined },
    ...page,
  });
  return await explained({ text, values });
}

async function explained({ text, values }: { text: string; values: unknown[] }): Promise<Node> {
  return await server.stores.database.tenant(tenant, async (tx) => {
    const { rows } = await server.composition.work.enginePool
      .client(tx)
      .query<{ 'QUERY PLAN': { Plan: Node }[] }>(`explain (analyze, format json) ${text}`, values);
    const [found] = rows[0]?.['QUERY PLAN'] ?? [];
    if (found === undefined) throw new Error('There is no plan.');
    return found.Plan;
  });
}

describe('a page of the runs of one playbook among a hundred thousand', () => {
  test.each([
    ['a busy one', { playbookId: BUSY }],
    ['one of many', { playbookId: RARE }],
    ['a busy one that went well', { playbookId: BUSY, statuses: ['success'] as const }],
    ['a busy one by name', { playbookId: BUSY, q: 'BLOCK' }],
    ['none', { playbookId: NONE }],
  ])('of %s reads little more than the page', async (_what, page) => {
    expect(rowsRead(await planOf(page))).toBeLessThan(250);
  });

  test('of a rare status, and far behind, reads each of its runs once at most', async () => {
    for (const page of [{ statuses: ['error'] as const }, { skip: 40_000 }]) {
      expect(rowsRead(await planOf({ playbookId: BUSY, ...page }))).toBeLessThanOrEqual(RUNS + 250);
    }
  });

  test('of what has not ended reads no more than has not ended', async () => {
    const statuses = ['pending', 'running', 'waiting'] as const;
    for (const playbookId of [BUSY, RARE]) expect(rowsRead(await planOf({ playbookId, statuses }))).toBeLessThan(250);
    const all = { tenantId: tenant, limit: 15, kinds: ['playbook'] };
    expect(rowsRead(await explained(listRunsQuery({ ...all, statuses })))).toBeLessThan(50);
    expect(rowsRead(await explained(listRunsQuery({ ...all, statuses: ['waiting'] })))).toBeLessThan(50);
    expect(rowsRead(await explained(listRunsQuery(all)))).toBeLessThan(50);
  });

  test('is what the call answers with', async () => {
    const actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const asked = async (query: string) => {
      const url = `/api/tenants/${tenant}/soar/playbook_activity?${query}`;
      const answer = await server.inject({ url, headers: actor.headers });
      return playbookRunListSchema.parse(answer.json()).map(({ summary }) => summary);
    };
    const page = await asked(`playbook_id=${RARE}`);
    expect(page).toHaveLength(15);
    expect(page.every((run) => run.playbook_id === RARE)).toBe(true);
    expect(page.map((run) => run.workflow_uuid)).toEqual(
      page.map((run) => run.workflow_uuid).sort((a, b) => (a < b ? 1 : -1)),
    );
    expect((await asked(`playbook_id=${BUSY}&status=error`)).every(({ status }) => status === 'error')).toBe(true);
    expect(await asked(`playbook_id=${NONE}`)).toEqual([]);
    const other = await server.createTenant();
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Analyst' } });
    const foreign = await server.inject({
      url: `/api/tenants/${other}/soar/playbook_activity?playbook_id=${BUSY}`,
      headers: stranger.headers,
    });
    expect(foreign.json()).toEqual([]);
  });
});
