import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { type Period, readPolicyStanding, readTechniques } from './case-facts.ts';
import { coverageOf } from './gather-facts.ts';

const period: Period = {
  start: new Date('2026-10-01T00:00:00Z'),
  end: new Date('2026-11-01T00:00:00Z'),
  timeZone: 'UTC',
};

type NewPolicy = { name: string; techniques?: string[]; enabled?: boolean; cases: number };

let server: TestServer;
let tenant: string;
beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
});
afterAll(() => server?.close());

let lastCase = 0;

/** With that many cases in the period, all false alarms. */
async function addPolicy(of: string, { name, techniques = [], enabled = true, cases }: NewPolicy): Promise<void> {
  await server.stores.database.system(async (tx) => {
    const policy = v7();
    const rule = JSON.stringify({ name, severity: 'low', techniques, sources: [] });
    await sql`insert into policy (id, tenant_id, rule, enabled)
      values (${policy}, ${of}, ${rule}::jsonb, ${enabled})`.execute(tx);
    const opened = new Date('2026-10-12T10:00:00Z');
    for (let at = 0; at < cases; at++) {
      await tx
        .insertInto('case_record')
        .values({
          ...{ id: v7(), tenant_id: of, number: ++lastCase, alert_type: 'policy', policy_id: policy },
          ...{ group_key: null, name, description: '', category: '', severity: 'low' },
          ...{ severity_rank: 0, status: 'closed', log_sources: [], meta: '{}', opened_at: opened },
          ...{ time_opened: opened, time_acknowledged: opened, acknowledged_by: null, time_closed: opened },
          ...{ closed_by: null, closed_by_person: true, close_reason: 'false_positive' },
          ...{ automated_response_at: null, assignee: null, time_updated: opened, search_text: '' },
          ...{ respond_by: null, resolve_by: null, waiting_since: null, clock_next_at: null },
        })
        .execute();
    }
  });
}

async function addFailingConnectors(count: number): Promise<void> {
  await server.stores.database.system(async (tx) => {
    for (let at = 0; at < count; at++) {
      await tx
        .insertInto('connector')
        .values({
          ...{ id: v7(), tenant_id: tenant, definition_id: 'fortigate', name: `Firewall ${at}`, is_default: false },
          ...{ state: 'error', config: '{}', last_successful_connection: null },
        })
        .execute();
    }
  });
}

it('counts every noisy policy and failing connector, and names the first', async () => {
  const read = () =>
    server.stores.database.read(tenant, (tx) => readPolicyStanding(tx, trustedTenantScope(tenant), period));
  expect(await read()).toMatchObject({
    standing: { noisy_policies: [], failing_connectors: [] },
    counts: { noisy_policies: 0, failing_connectors: 0 },
  });
  for (let at = 0; at < 5; at++) await addPolicy(tenant, { name: `Policy ${at}`, cases: 5 });
  await addFailingConnectors(22);
  const { standing, counts } = await read();
  expect(counts).toEqual({ noisy_policies: 5, failing_connectors: 22 });
  expect(standing.noisy_policies).toHaveLength(3);
  expect(standing.noisy_policies[0]).toEqual({ name: 'Policy 0', cases: 5, false_positives: 5 });
  expect(standing.failing_connectors).toHaveLength(20);
});

it('covers a tactic with a policy once, with its cases once, however many of its techniques the policy names', async () => {
  const of = await server.createTenant();
  const read = async () =>
    coverageOf(
      await server.stores.database.read(of, (tx) => readTechniques(tx, trustedTenantScope(of), period)),
    ).filter(({ policies, cases }) => policies > 0 || cases > 0);
  await addPolicy(of, { name: 'Script', techniques: ['T1059.001', 'T1059.003', 'T1204', 'T1110'], cases: 10 });
  expect(await read()).toEqual([
    { tactic: 'Execution', policies: 1, techniques: 2, cases: 10 },
    { tactic: 'Credential access', policies: 1, techniques: 1, cases: 10 },
  ]);
  await addPolicy(of, { name: 'Another', techniques: ['T1204'], cases: 2 });
  // One that is off covers nothing; the cases it opened stay what was found.
  await addPolicy(of, { name: 'Off', techniques: ['T1204', 'T1047'], enabled: false, cases: 1 });
  expect(await read()).toEqual([
    { tactic: 'Execution', policies: 2, techniques: 2, cases: 13 },
    { tactic: 'Credential access', policies: 1, techniques: 1, cases: 10 },
  ]);
});
