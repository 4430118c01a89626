import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import { createDetectionFixture, type DetectionFixture, failedLogin, guessingRule } from './detection-fixture.ts';

/** A case for every user: what a policy that groups by something always new comes to. */
const { threshold: _none, ...each } = guessingRule({ group_by: ['user'] }).logic;
const broad = { ...guessingRule(), logic: each };
const person = { actor: { kind: 'user', id: null, name: 'ada.lovelace@example.com' }, requestId: 'r' } as const;
const HOUR_MS = 3_600_000;

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture({ casesPerHour: 3 });
});
afterAll(() => fixture.close());

beforeEach(async () => {
  tenant = await fixture.newTenant();
  fixture.opened.length = 0;
});

/** One event of each of so many users. */
function ofUsers(count: number, prefix = 'user', fromS = 0) {
  return Array.from({ length: count }, (_, at) => failedLogin(tenant, fromS + at, { user: `${prefix}-${at}` }));
}

async function cases() {
  const all = await fixture.casesOf(tenant);
  const isCollecting = ({ alert_name: name }: (typeof all)[number]) => name.endsWith('(too many cases)');
  return { own: all.filter((one) => !isCollecting(one)), collecting: all.filter(isCollecting) };
}

const policyOf = (id: string) =>
  fixture.db.tenant(tenant.tenantId, (tx) => fixture.policies.service.get(tx, tenant, id));

const close = (id: string) =>
  fixture.db.tenant(tenant.tenantId, (tx) =>
    fixture.cases.service.update(tx, tenant, {
      id,
      update: { alert_status: 'closed', close_reason: 'benign' },
      by: person,
    }),
  );

describe('a policy that opens too many cases', () => {
  test('opens one more for all that is left, which starts nothing and takes what follows', async () => {
    const id = await fixture.createPolicy(tenant, broad);
    await fixture.ingest(ofUsers(10));
    const { own, collecting } = await cases();
    expect(own).toHaveLength(3);
    expect(collecting).toMatchObject([{ alert_status: 'open', event_count: 7, meta_data_fields: {} }]);
    expect(fixture.opened.map(({ caseId }) => caseId).sort()).toEqual(own.map((one) => one.id).sort());

    await fixture.ingest(ofUsers(4, 'later', 60));
    const [after] = (await cases()).collecting;
    expect(after?.event_count).toBe(11);
    const { activity } = await fixture.detailOf(tenant, after?.id ?? '');
    expect(activity.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      expect.stringMatching(/^opened: Policy SSH password guessing opened too many cases .* starts nothing/),
      'events_added: 4 more matching events',
    ]);
    const policy = await policyOf(id);
    expect(policy).toMatchObject({ open_cases: 4, last_case: { id: after?.id } });
    expect(policy.throttled_until).toBe(new Date(fixture.clock.now.getTime() + HOUR_MS).toISOString());
  });

  test('goes on adding to the cases its groups have', async () => {
    await fixture.createPolicy(tenant, broad);
    await fixture.ingest(ofUsers(5));
    await fixture.ingest(ofUsers(5, 'user', 60));
    const { own, collecting } = await cases();
    expect(own.map(({ event_count: count }) => count)).toEqual([2, 2, 2]);
    expect(collecting.map(({ event_count: count }) => count)).toEqual([4]);
  });

  test('keeps no other policy from opening its own', async () => {
    await fixture.createPolicy(tenant, broad);
    const other = { ...guessingRule({ group_by: ['host'], threshold: { count: 8, within_s: 300 } }), name: 'By host' };
    await fixture.createPolicy(tenant, other);
    await fixture.ingest(ofUsers(8));
    expect((await cases()).own.map(({ alert_name: name }) => name)).toContain('By host');
  });

  test('counts by its threshold and stays quiet as it says, also for what is collected', async () => {
    const rule = guessingRule({ group_by: ['user'], threshold: { count: 2, within_s: 300 }, suppress_for_s: 600 });
    await fixture.createPolicy(tenant, rule);
    await fixture.ingest([...ofUsers(5), ...ofUsers(4, 'user', 20)]);
    // The fifth user failed once only.
    expect((await cases()).collecting.map(({ event_count: count }) => count)).toEqual([2]);
    await fixture.ingest([...ofUsers(5, 'user', 100), ...ofUsers(5, 'user', 120)]);
    const { own, collecting } = await cases();
    expect(own.map(({ event_count: count }) => count)).toEqual([4, 4, 4]);
    expect(collecting.map(({ event_count: count }) => count)).toEqual([2 + 3]);
  });

  test('does not start its response for the fourth time, though that makes the event it looks for', async () => {
    await fixture.createPolicy(tenant, broad);
    for (let turn = 0; turn < 6; turn++) {
      await fixture.ingest([failedLogin(tenant, turn * 10, { user: 'always-the-same' })]);
      for (const one of await fixture.casesOf(tenant)) if (one.alert_status === 'open') await close(one.id);
    }
    expect(fixture.opened).toHaveLength(3);
    expect((await cases()).collecting).toHaveLength(3);
  });

  test('opens its own again when the hour is over, and at once when somebody changed it', async () => {
    const id = await fixture.createPolicy(tenant, broad);
    await fixture.ingest(ofUsers(5));
    fixture.clock.now = new Date(fixture.clock.now.getTime() + HOUR_MS);
    expect((await policyOf(id)).throttled_until).toBeNull();
    await fixture.ingest(ofUsers(5, 'next'));
    expect((await cases()).own).toHaveLength(6);
    const rule = { ...broad, severity: 'low' as const };
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.policies.service.update(tx, tenant, { id, rule, measured: rule }, person),
    );
    await fixture.ingest(ofUsers(5, 'changed'), fixture.secondProcess());
    const { own, collecting } = await cases();
    expect(own).toHaveLength(9);
    expect(collecting.map(({ event_count: count }) => count)).toEqual([2 + 2 + 2]);
  });

  test('is held back by any number of processes together, and no match is lost or counted twice', async () => {
    await fixture.createPolicy(tenant, broad);
    const processes = Array.from({ length: 4 }, () => fixture.secondProcess());
    await Promise.all(processes.map((process, at) => fixture.ingest(ofUsers(10, `process-${at}`), process)));
    const { own, collecting } = await cases();
    // Each may have begun with one before it knew of the others.
    expect(own.length).toBeGreaterThanOrEqual(3);
    expect(own.length).toBeLessThanOrEqual(3 + processes.length);
    expect(collecting).toHaveLength(1);
    expect(own.length + (collecting[0]?.event_count ?? 0)).toBe(40);
  });

  test('has nothing to suppress in what was collected: no group of its own opened that case', async () => {
    await fixture.createPolicy(tenant, broad);
    await fixture.ingest(ofUsers(4));
    const { collecting } = await cases();
    const suppress_until = new Date(fixture.clock.now.getTime() + HOUR_MS).toISOString();
    const update = { alert_status: 'closed', close_reason: 'false_positive', suppress_until } as const;
    const closing = fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.update(tx, tenant, { id: collecting[0]?.id ?? '', update, by: person }),
    );
    await expect(closing).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
