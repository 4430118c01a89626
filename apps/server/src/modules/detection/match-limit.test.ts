import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import {
  burstOf,
  createDetectionFixture,
  type DetectionFixture,
  failedLogin,
  guessingRule,
} from './detection-fixture.ts';
import { createMatchLimit } from './match-limit.ts';

const MOST = 40;
/** A bound of 40 comes down to 35. */
const GOAL = 35;
const waiting = guessingRule({ group_by: ['user'], threshold: { count: 5, within_s: 86_400 } });

let fixture: DetectionFixture;
let tenant: TenantScope;

beforeAll(async () => {
  fixture = await createDetectionFixture({ freeMatchesMax: MOST });
});
afterAll(() => fixture.close());

beforeEach(async () => {
  tenant = await fixture.newTenant();
});

/** One event of each of so many users. */
function ofUsers(count: number, prefix: string, scope = tenant) {
  return Array.from({ length: count }, (_, at) => failedLogin(scope, at, { user: `${prefix}-${at}` }));
}

function purge() {
  return fixture.detection.purge();
}

async function groupsOf(policyId: string, table: 'policy_match' | 'policy_group' = 'policy_match') {
  const { rows } = await fixture.db.system((tx) =>
    sql<{ group_key: string }>`
      select distinct group_key from ${sql.table(table)} where policy_id = ${policyId} order by 1`.execute(tx),
  );
  return rows.map((row) => /([a-z]+)-\d+/.exec(row.group_key)?.[0] ?? row.group_key);
}

const policyOf = (id: string, scope = tenant) =>
  fixture.db.tenant(scope.tenantId, (tx) => fixture.policies.service.get(tx, scope, id));

describe('groups that never fill (A-I9)', () => {
  test('give up the oldest matches beyond the bound, and the policy says how many', async () => {
    const id = await fixture.createPolicy(tenant, waiting);
    await fixture.ingest(ofUsers(10, 'old'));
    await fixture.ingest(ofUsers(20, 'mid'));
    await fixture.ingest(ofUsers(20, 'new'));
    await purge();
    const kept = await groupsOf(id);
    expect(kept).toHaveLength(GOAL);
    expect(kept.filter((name) => name.startsWith('old'))).toEqual([]);
    expect(kept.filter((name) => name.startsWith('new'))).toHaveLength(20);
    expect(await groupsOf(id, 'policy_group')).toEqual(kept);
    expect((await policyOf(id)).dropped_matches).toBe(50 - GOAL);
    await purge();
    expect((await policyOf(id)).dropped_matches).toBe(50 - GOAL);
  });

  test('are checked by the process that recorded them, without the hourly purge', async () => {
    const id = await fixture.createPolicy(tenant, waiting);
    await fixture.ingest(ofUsers(MOST, 'old'));
    await fixture.ingest(ofUsers(MOST, 'new'));
    await fixture.ingest(ofUsers(5, 'last'));
    await expect.poll(async () => (await groupsOf(id)).length).toBeLessThanOrEqual(MOST);
  });

  test('change nothing for a policy below the bound, nor for those of others', async () => {
    const other = await fixture.newTenant();
    const [noisy, calm, foreign] = [
      await fixture.createPolicy(tenant, waiting),
      await fixture.createPolicy(tenant, {
        ...waiting,
        name: 'Calm',
        logic: { ...waiting.logic, group_by: ['src_ip'] },
      }),
      await fixture.createPolicy(other, waiting),
    ];
    await fixture.ingest(ofUsers(3, 'theirs', other));
    await fixture.ingest(ofUsers(4, 'early').map((event, n) => ({ ...event, src_ip: `198.51.100.${n}` })));
    await fixture.ingest(ofUsers(2 * MOST, 'noise').map((event) => ({ ...event, src_ip: '', integration: 'sshd' })));
    await purge();
    expect(await groupsOf(noisy)).toHaveLength(GOAL);
    expect(await groupsOf(foreign)).toHaveLength(3);
    expect((await policyOf(calm)).dropped_matches).toBe(0);
    expect((await policyOf(foreign, other)).dropped_matches).toBe(0);
  });

  test('leave those alone that go on, which fill and open their case with all their events', async () => {
    await fixture.createPolicy(tenant, waiting);
    for (let round = 0; round < 5; round++) {
      await fixture.ingest(ofUsers(30, `noise${String.fromCharCode(97 + round)}`));
      await fixture.ingest([failedLogin(tenant, round, { user: 'victim-1' })]);
      await purge();
    }
    const [opened, ...others] = await fixture.casesOf(tenant);
    expect(others).toEqual([]);
    expect(opened).toMatchObject({ event_count: 5, meta_data_fields: { user: 'victim-1' } });
  });

  test('keep what their policy suppressed, though their matches are dropped', async () => {
    await fixture.createPolicy(tenant, { ...waiting, logic: { ...waiting.logic, suppress_for_s: 3600 } });
    const of = (count: number, fromS: number) => burstOf(tenant, { count, fromS, user: 'seen-1' });
    await fixture.ingest(of(5, 0));
    const [opened] = await fixture.casesOf(tenant);
    await fixture.db.tenant(tenant.tenantId, (tx) =>
      fixture.cases.service.update(tx, tenant, {
        id: opened?.id ?? '',
        update: { alert_status: 'closed', close_reason: 'benign' },
        by: { actor: { kind: 'user', id: null, name: 'ada.lovelace@example.com' }, requestId: 'r' },
      }),
    );
    await fixture.ingest(of(1, 100));
    await fixture.ingest(ofUsers(2 * MOST, 'noise'));
    await purge();
    await fixture.ingest(of(10, 200));
    expect(await fixture.casesOf(tenant)).toHaveLength(1);
  });

  test('count again what was dropped and is sent again', async () => {
    const id = await fixture.createPolicy(tenant, waiting);
    const old = ofUsers(10, 'old');
    await fixture.ingest(old);
    await fixture.ingest(ofUsers(MOST, 'new'));
    await purge();
    expect(await groupsOf(id)).not.toContain('old-0');
    await fixture.ingest(old);
    expect(await groupsOf(id)).toContain('old-0');
  });

  test('are dropped once by two processes that check at the same time', async () => {
    const id = await fixture.createPolicy(tenant, waiting);
    await fixture.ingest(ofUsers(3 * MOST, 'noise'));
    await Promise.all([purge(), fixture.secondProcess().purge()]);
    await purge();
    const kept = await groupsOf(id);
    expect(kept.length).toBeLessThanOrEqual(MOST);
    expect((await policyOf(id)).dropped_matches).toBe(3 * MOST - kept.length);
  });

  test('hold up nobody when a check fails', async () => {
    const warn = vi.fn();
    const limit = createMatchLimit({
      ...{ now: () => fixture.clock.now, log: { warn }, most: MOST, retentionDays: 8 },
      db: { system: () => Promise.reject(new Error('no connection')) },
    });
    limit.recorded({ tenant: tenant.tenantId, policyId: 'p' }, MOST);
    await limit.idle();
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
