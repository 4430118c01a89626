import type { PolicyOrigin } from '@airdeck/contracts/policies/origin-schema';
import { policySchema } from '@airdeck/contracts/policies/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  failedLogin,
  guessingRule,
} from './detection-fixture.ts';

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture.close());

beforeEach(async () => {
  tenant = await fixture.newTenant();
});

const ada = { actor: { kind: 'user', id: null, name: 'ada@example.com' }, requestId: 'r' } as const;
const at = (iso: string) => Date.parse(iso);

async function policyOf(id: string) {
  return policySchema.parse(
    await fixture.db.tenant(tenant.tenantId, (tx) => fixture.policies.service.get(tx, tenant, id)),
  );
}

async function rowsOf(policyId: string): Promise<number> {
  const { rows } = await fixture.db.system((tx) =>
    sql<{ count: number }>`select count(*)::int as count from policy_tally where policy_id = ${policyId}`.execute(tx),
  );
  return rows[0]?.count ?? 0;
}

test('matches are counted once by the day of the event, whatever is sent again, in parallel or summed up', async () => {
  const id = await fixture.createPolicy(tenant, guessingRule({ threshold: { count: 1_000, within_s: 60 } }));
  const today = burstOf(tenant, { count: 30 }).map((event, n) => ({ ...event, time: at('2026-03-01T00:00:00Z') + n }));
  const yesterday = failedLogin(tenant, 0, { time: at('2026-02-28T23:59:59.999Z') });
  const longAgo = failedLogin(tenant, 0, { time: at('2026-01-01T00:00:00Z') });
  const other = failedLogin(tenant, 0, { time: at('2026-03-01T10:00:00Z'), outcome: 'success' });
  await Promise.all(today.map((event) => fixture.ingest([event], fixture.secondProcess())));
  await fixture.ingest([...today, yesterday, yesterday, longAgo, other]);
  await fixture.ingest([yesterday]);
  const expected = [...Array.from({ length: 12 }, () => 0), 1, 30];
  expect((await policyOf(id)).matches_by_day).toEqual(expected);
  const before = await rowsOf(id);
  await fixture.detection.purge();
  expect((await policyOf(id)).matches_by_day).toEqual(expected);
  expect(await rowsOf(id)).toBeLessThan(before);
});

test('a policy names its newest case and how many are open', async () => {
  const id = await fixture.createPolicy(tenant, guessingRule({ threshold: { count: 1, within_s: 1 } }));
  await fixture.ingest([failedLogin(tenant, 0, { src_ip: '203.0.113.1' })]);
  await fixture.ingest([failedLogin(tenant, 1, { src_ip: '203.0.113.2' })]);
  const cases = await fixture.casesOf(tenant);
  const policy = await policyOf(id);
  expect(policy.open_cases).toBe(2);
  expect(cases.map((one) => one.id)).toContain(policy.last_case?.id);
  expect(policy.created_alert).not.toBeNull();
});

test('a case names the author and licence of the rule, also when the policy is gone', async () => {
  const origin: PolicyOrigin = {
    ...{ id: 'x', author: 'A. Author', license: 'DRL 1.1', level: 'high', status: 'test', date: '2026-01-01' },
    ...{ format: 'sigma', references: [], false_positives: [], tags: [] },
  };
  const rule = { ...guessingRule({ threshold: { count: 1, within_s: 1 } }), origin };
  const id = await fixture.createPolicy(tenant, rule);
  await fixture.ingest([failedLogin(tenant, 0)]);
  const [opened] = await fixture.casesOf(tenant);
  await fixture.db.tenant(tenant.tenantId, (tx) => fixture.policies.service.remove(tx, tenant, id, ada));
  const detail = await fixture.detailOf(tenant, opened?.id ?? '');
  expect(detail).toMatchObject({ policy_id: null, alert_status: 'open', policy_origin: origin });
});

test('a policy sees the events of all its sources, and an event without its group counts for nothing', async () => {
  const rule = guessingRule({
    threshold: { count: 2, within_s: 60 },
    source: {
      ...{ source_type: 'log', connector_definition_id: 'sshd', event_type: '' },
      also: [{ connector_definition_id: 'okta', event_type: 'system_log' }],
    },
  });
  await fixture.createPolicy(tenant, rule);
  const without = failedLogin(tenant, 0, { src_ip: '' });
  await fixture.ingest([without, { ...without, id: failedLogin(tenant, 0).id }]);
  expect(await fixture.casesOf(tenant)).toEqual([]);
  await fixture.ingest([failedLogin(tenant, 0)]);
  await fixture.ingest([failedLogin(tenant, 1, { integration: 'okta', event_type: 'log' })]);
  expect(await fixture.casesOf(tenant)).toEqual([]);
  await fixture.ingest([failedLogin(tenant, 2, { integration: 'okta', event_type: 'system_log' })]);
  expect((await fixture.casesOf(tenant)).map((one) => one.event_count)).toEqual([2]);
});

test('an event that comes late counts at its own time, and what is older than the end of a suppression opens nothing', async () => {
  const rule = guessingRule({ threshold: { count: 3, within_s: 60 }, suppress_for_s: 600 });
  await fixture.createPolicy(tenant, rule);
  const day = 86_400;
  // Two of yesterday and today's; the third of yesterday comes last and fills yesterday's window.
  await fixture.ingest([failedLogin(tenant, -day), failedLogin(tenant, -day + 20), failedLogin(tenant, 0)]);
  expect(await fixture.casesOf(tenant)).toEqual([]);
  await fixture.ingest([failedLogin(tenant, -day + 10)]);
  const [opened] = await fixture.casesOf(tenant);
  expect(opened?.opened_at).toBe('2026-02-21T16:45:00.000Z');
  const closing = {
    id: opened?.id ?? '',
    update: { alert_status: 'closed', close_reason: 'benign' },
    by: ada,
  } as const;
  await fixture.db.tenant(tenant.tenantId, (tx) => fixture.cases.service.update(tx, tenant, closing));
  await fixture.ingest([100, 110, 120].map((second) => failedLogin(tenant, -day + second)));
  expect(await fixture.casesOf(tenant)).toHaveLength(1);
  await fixture.ingest([700, 710, 720].map((second) => failedLogin(tenant, -day + second)));
  expect(await fixture.casesOf(tenant)).toHaveLength(2);
});
