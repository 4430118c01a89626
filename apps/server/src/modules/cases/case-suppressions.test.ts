import { caseListQuerySchema } from '@airdeck/contracts/cases/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  guessingRule,
} from '../detection/detection-fixture.ts';
import { groupSuppressions } from '../detection/group-suppression.ts';
import { endSuppression, listSuppressions } from './case-suppressions.ts';

const by = { actor: { kind: 'user', id: null, name: 'ada@example.com' }, requestId: null } as const;
const GUESSER = '203.0.113.9';
/** Noon, in seconds after the fixture's first event. */
const NOON_S = (Date.parse('2026-03-01T12:00:00.000Z') - Date.parse('2026-02-22T16:45:00.000Z')) / 1000;

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.clock.now = new Date('2026-03-01T12:00:00.000Z');
  tenant = await fixture.newTenant();
  await fixture.createPolicy(tenant, guessingRule());
});

const cases = () =>
  fixture.db.tenant(tenant.tenantId, async (tx) => {
    const { cases: list } = await fixture.cases.service.list(tx, tenant, caseListQuerySchema.parse({ limit: 50 }));
    return list;
  });
const guess = (fromS: number, src_ip = GUESSER, scope = tenant) =>
  fixture.ingest(burstOf(scope, { src_ip, count: 5, fromS: fromS + NOON_S }));
const minutes = (n: number) => new Date(Date.parse('2026-03-01T12:00:00.000Z') + n * 60_000);
const page = (cursor?: string, scope = tenant) =>
  fixture.db.read(scope.tenantId, (tx) => listSuppressions(tx, scope, { now: fixture.clock.now, cursor }));
const suppressed = async (scope = tenant) => (await page(undefined, scope)).suppressions;

async function closeAsFalse(id: string, until: Date, scope = tenant) {
  const update = {
    alert_status: 'closed',
    close_reason: 'false_positive',
    suppress_until: until.toISOString(),
  } as const;
  return await fixture.db.tenant(scope.tenantId, (tx) => fixture.cases.service.update(tx, scope, { id, update, by }));
}

async function end(id: string, scope = tenant) {
  const deps = { now: () => fixture.clock.now, audit: fixture.audit, groups: groupSuppressions };
  await fixture.db.tenant(scope.tenantId, (tx) => endSuppression(deps, tx, scope, { id, by }));
}

async function firstCase() {
  await guess(0);
  const [opened] = await cases();
  if (opened === undefined) throw new Error('No case was opened.');
  return opened;
}

describe('a false positive that is suppressed', () => {
  test('opens no case again for the same values until then, and does afterwards', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    await guess(20 * 60);
    expect(await cases()).toHaveLength(1);
    await guess(61 * 60);
    expect(await cases()).toHaveLength(2);
  });

  test('leaves other values of the same policy, and other tenants, alone', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    await guess(20 * 60, '198.51.100.4');
    expect(await cases()).toHaveLength(2);
    const other = await fixture.newTenant();
    await fixture.createPolicy(other, guessingRule());
    await guess(20 * 60, GUESSER, other);
    expect(await suppressed(other)).toEqual([]);
    const query = caseListQuerySchema.parse({});
    const listed = await fixture.db.tenant(other.tenantId, (tx) => fixture.cases.service.list(tx, other, query));
    expect(listed.total).toBe(1);
  });

  test('is listed while it runs, and not when it is over', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    expect(await suppressed()).toMatchObject([
      {
        policy_name: 'SSH password guessing',
        group: { src_ip: GUESSER },
        case_reference: 'CASE-1',
        created_by: 'ada@example.com',
      },
    ]);
    fixture.clock.now = minutes(61);
    expect(await suppressed()).toEqual([]);
  });

  test('is listed under the name its policy has now', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    const [running] = await suppressed();
    const renamed = { id: running?.policy_id ?? '', rule: { ...guessingRule(), name: 'Guessing of passwords' } };
    await fixture.db.tenant(tenant.tenantId, (tx) => fixture.policies.service.update(tx, tenant, renamed, by));
    expect(await suppressed()).toMatchObject([{ policy_name: 'Guessing of passwords', case_reference: 'CASE-1' }]);
  });

  test('is found and ended however many run: the list goes on after the last one of a page', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    // Two of them end at the same moment, also where a page ends; the longest is the last.
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      sql`
        insert into case_suppression
        select gen_random_uuid(), tenant_id, policy_id, 'group ' || n, case_id, until + n / 2 * interval '1 minute',
          created_at, created_by
        from case_suppression, generate_series(1, 501) n`.execute(tx),
    );
    const first = await page();
    expect(first.suppressions).toHaveLength(500);
    const rest = await page(first.cursor ?? '');
    expect(rest).toMatchObject({ suppressions: [{}, {}], cursor: null });
    const ids = [...first.suppressions, ...rest.suppressions].map(({ id }) => id);
    expect(new Set(ids).size).toBe(502);
    const last = rest.suppressions[1];
    expect(last?.until).toBe(minutes(60 + 250).toISOString());
    // What a page ended with may be gone when the next one is asked for.
    await end(first.suppressions[499]?.id ?? '');
    await end(last?.id ?? '');
    expect((await page(first.cursor ?? '')).suppressions).toEqual(rest.suppressions.slice(0, 1));
  });

  test.each(['', 'x', `1_${'0'.repeat(36)}`, '1; drop table case_suppression'])(
    'has no page after %j',
    async (cursor) => {
      await expect(page(cursor)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    },
  );

  test('that is ended opens cases again, but not for what happened meanwhile', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    await guess(20 * 60);
    const [running] = await suppressed();
    fixture.clock.now = minutes(25);
    await end(running?.id ?? '');
    expect(await suppressed()).toEqual([]);
    await fixture.ingest(burstOf(tenant, { src_ip: GUESSER, count: 1, fromS: 26 * 60 + NOON_S }));
    expect(await cases()).toHaveLength(1);
    await guess(27 * 60);
    expect(await cases()).toHaveLength(2);
  });

  test('cannot be ended twice, nor by another tenant', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    const [running] = await suppressed();
    const other = await fixture.newTenant();
    await expect(end(running?.id ?? '', other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await end(running?.id ?? '');
    await expect(end(running?.id ?? '')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('counts once: a second false positive of the group moves the end', async () => {
    const opened = await firstCase();
    await closeAsFalse(opened.id, minutes(60));
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.update(tx, tenant, { id: opened.id, update: { alert_status: 'open' }, by }),
    );
    await closeAsFalse(opened.id, minutes(30));
    expect(await suppressed()).toHaveLength(1);
    await guess(40 * 60);
    expect(await cases()).toHaveLength(2);
  });

  test.each<[string, Date]>([
    ['in the past', minutes(-1)],
    ['too far ahead', minutes(400 * 24 * 60)],
  ])('%s is refused, and the case stays as it was', async (_name, until) => {
    const opened = await firstCase();
    await expect(closeAsFalse(opened.id, until)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await cases())[0]?.alert_status).toBe('open');
    expect(await suppressed()).toEqual([]);
  });

  test('holds against events that arrive at the same moment', async () => {
    const opened = await firstCase();
    await Promise.all([
      closeAsFalse(opened.id, minutes(600)),
      ...Array.from({ length: 8 }, (_, index) => guess(60 * (10 + index * 10))),
    ]);
    await guess(200 * 60);
    // What came before the close belongs to the case, what came after opened nothing.
    expect(await cases()).toHaveLength(1);
  });
});
