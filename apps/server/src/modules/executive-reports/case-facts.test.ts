import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { type Period, readPolicyStanding } from './case-facts.ts';

const period: Period = {
  start: new Date('2026-10-01T00:00:00Z'),
  end: new Date('2026-11-01T00:00:00Z'),
  timeZone: 'UTC',
};

let server: TestServer;
let tenant: string;
beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
});
afterAll(() => server?.close());

/** Policies whose cases of the period were all false alarms. */
async function addNoisyPolicies(count: number): Promise<void> {
  await server.stores.database.system(async (tx) => {
    for (let at = 0; at < count; at++) {
      const policy = v7();
      const rule = JSON.stringify({ name: `Policy ${at}`, severity: 'low', techniques: [], sources: [] });
      await sql`insert into policy (id, tenant_id, rule) values (${policy}, ${tenant}, ${rule}::jsonb)`.execute(tx);
      const opened = new Date('2026-10-12T10:00:00Z');
      for (let number = 0; number < 5; number++) {
        await tx
          .insertInto('case_record')
          .values({
            ...{ id: v7(), tenant_id: tenant, number: at * 10 + number, alert_type: 'policy', policy_id: policy },
            ...{ group_key: null, name: `Case ${at}`, description: '', category: '', severity: 'low' },
            ...{ severity_rank: 0, status: 'closed', log_sources: [], meta: '{}', opened_at: opened },
            ...{ time_opened: opened, time_acknowledged: opened, acknowledged_by: null, time_closed: opened },
            ...{ closed_by: null, closed_by_person: true, close_reason: 'false_positive' },
            ...{ automated_response_at: null, assignee: null, time_updated: opened, search_text: '' },
            ...{ respond_by: null, resolve_by: null, waiting_since: null, clock_next_at: null },
          })
          .execute();
      }
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
  await addNoisyPolicies(5);
  await addFailingConnectors(22);
  const { standing, counts } = await read();
  expect(counts).toEqual({ noisy_policies: 5, failing_connectors: 22 });
  expect(standing.noisy_policies).toHaveLength(3);
  expect(standing.noisy_policies[0]).toEqual({ name: 'Policy 0', cases: 5, false_positives: 5 });
  expect(standing.failing_connectors).toHaveLength(20);
});
