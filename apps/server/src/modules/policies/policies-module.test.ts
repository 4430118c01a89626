import { policyListSchema, policySchema } from '@airdeck/contracts/policies/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import { createDetectionFixture, type DetectionFixture, guessingRule } from '../detection/detection-fixture.ts';

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

function inTenant<T>(
  work: (tx: Parameters<Parameters<DetectionFixture['db']['tenant']>[1]>[0]) => Promise<T>,
  scope = tenant,
) {
  return fixture.db.tenant(scope.tenantId, work);
}

test('the list goes by name, whatever its case, and in pages', async () => {
  for (const name of ['beta', 'Alpha', 'gamma']) await fixture.createPolicy(tenant, { ...guessingRule(), name });
  const page = (page_number: number) =>
    inTenant((tx) => fixture.policies.service.list(tx, tenant, { page_number, page_size: 2 }));
  const first = policyListSchema.parse(await page(1));
  expect(first.rules.map((policy) => policy.rule.name)).toEqual(['Alpha', 'beta']);
  expect(first.total).toBe(3);
  expect((await page(2)).rules.map((policy) => policy.rule.name)).toEqual(['gamma']);
});

describe('updating', () => {
  test('changes what is given, tells detection of it, and is audited', async () => {
    const id = await fixture.createPolicy(tenant, guessingRule());
    const version = () => inTenant((tx) => fixture.policies.service.versionOf(tx, tenant));
    const before = await version();
    const rule = { ...guessingRule(), name: 'Renamed', description: 'with a NUL \0' };
    await inTenant((tx) => fixture.policies.service.update(tx, tenant, { id, rule, measured: rule }, ada));
    const answer = await inTenant((tx) =>
      fixture.policies.service.update(tx, tenant, { id, enabled: false, rule: undefined }, ada),
    );
    expect(policySchema.parse(answer)).toMatchObject({
      id,
      enabled: false,
      created_alert: null,
      rule: { name: 'Renamed', description: 'with a NUL \ufffd' },
    });
    expect(await version()).toBe(before + 2);
    const { rows } = await inTenant((tx) =>
      sql<{ action: string; data: unknown }>`select action, data from audit_record order by sequence`.execute(tx),
    );
    expect(rows).toEqual([
      { action: 'policy.create', data: { name: guessingRule().name, enabled: true } },
      { action: 'policy.update', data: expect.objectContaining({ name: 'Renamed', version: 2, rule_changed: true }) },
      { action: 'policy.update', data: expect.objectContaining({ enabled: false, version: 3, rule_changed: false }) },
    ]);
  });

  test('a rule that cannot run is refused with every problem and its place', async () => {
    const id = await fixture.createPolicy(tenant, guessingRule());
    const rule = guessingRule({
      filter_criteria: [
        { field: 'message', operator: 'regex', value: '(' },
        { field: 'src_ip', operator: 'cidr', value: 'nowhere' },
      ],
    });
    const refused = inTenant((tx) =>
      fixture.policies.service.update(tx, tenant, { id, enabled: undefined, rule }, ada),
    );
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'rule.logic.filter_criteria.0.value' }, { path: 'rule.logic.filter_criteria.1.value' }],
    });
    const kept = await inTenant((tx) => fixture.policies.service.get(tx, tenant, id));
    expect(kept.rule).toEqual(guessingRule());
  });

  test("another tenant's policy does not exist", async () => {
    const id = await fixture.createPolicy(tenant, guessingRule());
    const other = await fixture.newTenant();
    const { service } = fixture.policies;
    await expect(inTenant((tx) => service.get(tx, other, id), other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const change = { id, enabled: false, rule: undefined };
    await expect(inTenant((tx) => service.update(tx, other, change, ada), other)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const list = await inTenant((tx) => service.list(tx, other, { page_number: 1, page_size: 20 }), other);
    expect(list).toMatchObject({ rules: [], total: 0 });
    expect((await inTenant((tx) => service.get(tx, tenant, id))).enabled).toBe(true);
  });
});
