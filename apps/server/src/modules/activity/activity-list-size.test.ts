import { actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { listStepsQuery, type StepFilter } from '@airdeck/engine/reads';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';

/** As many action runs as a busy tenant has in a year; what matters is how many of them a page of 25 has to look at. */
const RUNS = 100_000;

let server: TestServer;
let tenant: string;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  const scale = sql.raw(String(RUNS));
  await server.stores.database.system(async (tx) => {
    await sql`insert into engine.definition (tenant_id, hash, body, traits) values (${tenant}, 'h', '{}', '{}')`.execute(
      tx,
    );
    // Every thousandth by hand, the rest of playbooks; another thousandth still runs.
    await sql`
      insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, trigger, priority, dry_run, created_at, updated_at, started_at, finished_at)
      select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${tenant}::uuid,
        case when n % 1000 = 0 then 'adhoc' else 'playbook' end, 'Block it', 'h', case when n % 1000 = 1 then 'running' else 'success' end, '{}',
        '{"trigger_type":"manual","username":"ann@example.com","user_tenant_id":null,"user_tenant_name":null,"case_id":null,"acts_as":null,"response_name":null,"connector_id":null}',
        0, false, now(), now(), now(), case when n % 1000 = 1 then null else now() end
      from generate_series(1, ${scale}) n`.execute(tx);
    await sql`
      insert into engine.step (id, run_id, tenant_id, action_id, iteration, kind, name, status, attempt, failures, input, idempotent, created_at, finished_at, run_kind)
      select ('018f0001-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ${tenant}::uuid, 'block', 0, 'action', 'fortigate.block_address',
        case when n % 1000 = 1 then 'running' else 'success' end, 1, 0, '{}', true, now(), case when n % 1000 = 1 then null else now() end,
        case when n % 1000 = 0 then 'adhoc' else 'playbook' end
      from generate_series(1, ${scale}) n`.execute(tx);
  });
  // As autovacuum does after so many rows.
  const owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
  await owner.query('analyze engine.run, engine.step');
  await owner.end();
}, 120_000);
afterAll(() => server?.close());

type Node = {
  'Node Type': string;
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
async function planOf(filter: Omit<StepFilter, 'tenantId' | 'limit'>): Promise<Node> {
  const { text, values } = listStepsQuery({ tenantId: tenant, limit: 25, stepKinds: ['action'], ...filter });
  return await server.stores.database.tenant(tenant, async (tx) => {
    const { rows } = await server.composition.work.enginePool
      .client(tx)
      .query<{ 'QUERY PLAN': { Plan: Node }[] }>(`explain (analyze, format json) ${text}`, values);
    const [explained] = rows[0]?.['QUERY PLAN'] ?? [];
    if (explained === undefined) throw new Error('There is no plan.');
    return explained.Plan;
  });
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

describe('a page of a list of a hundred thousand action runs', () => {
  test.each([
    ['without a filter', {}],
    ['of playbooks', { runKinds: ['playbook'] }],
    ['run by hand, which are few', { runKinds: ['adhoc'] }],
    ['that went well', { statuses: ['success'] as const }],
    ['that runs', { statuses: ['running'] as const }],
    ['that runs or waits', { statuses: ['running', 'waiting', 'pending'] as const }],
    ['with a name', { search: 'BLOCK' }],
    ['with a name of its action', { search: 'Block IP', searchNames: ['fortigate.block_address', 'other.block'] }],
    ['of one action', { names: ['fortigate.block_address'] }],
    ['of an action that never ran', { names: ['other.block'] }],
  ])('%s reads little more than the page', async (_what, filter) => {
    expect(rowsRead(await planOf(filter))).toBeLessThan(250);
  });

  test.each([
    ['of a status there is none of', { statuses: ['error', 'pending'] as const }],
    ['with a name there is none of', { search: 'nothing' }],
    ['with names there are none of', { search: 'nothing', searchNames: ['other.block', 'other.allow'] }],
    ['far behind', { offset: 75_000 }],
  ])('%s walks the steps once at most, without reading their runs', async (_what, filter) => {
    const plan = await planOf(filter);
    expect(rowsRead(plan)).toBeLessThanOrEqual(RUNS + 250);
    const runs = nodesOf(plan).filter((node) => node['Relation Name'] === 'run');
    expect(runs.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)).toBeLessThanOrEqual(25);
  });

  test('is what the call answers with', async () => {
    const actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const asked = async (query: string) => {
      const url = `/api/tenants/${tenant}/soar/actions_activity?${query}`;
      const answer = await server.inject({ url, headers: actor.headers });
      return actionActivitySchema.array().parse(answer.json());
    };
    const byHand = await asked('type=standalone');
    expect(byHand).toHaveLength(25);
    expect(byHand.every(({ summary }) => summary.type === 'manual')).toBe(true);
    expect(await asked('type=standalone&page=5')).toEqual([]);
    expect(await asked('type=playbook&status=running&page=4')).toHaveLength(25);
  });
});
