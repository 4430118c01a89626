/** The engine's kills (`kill-rounds`), on the product's database: row-level security on, every change in the audit. */
import { fiveCalls, resolveCrashPlaybook as resolvePlaybook } from '@airdeck/engine/testing/crash-definitions';
import { createEffectLedger } from '@airdeck/engine/testing/effect-ledger';
import { createKillRounds, type KillRounds, PLAY_WITHIN_MS } from '@airdeck/engine/testing/kill-rounds';
import { killableBinDir, type OwnPostgres, startOwnPostgres } from '@airdeck/engine/testing/own-postgres';
import {
  createTestDatabase,
  openTestDatabase,
  type TestCluster,
  type TestDatabase,
} from '@airdeck/engine/testing/test-database';
import { testTraits } from '@airdeck/engine/testing/test-engine';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { benchTrigger, type ComposedEngine, createComposedEngine } from '../../../bench/composed-engine.ts';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate } from '../../storage/migrations.ts';
import { quietLog } from '../../storage/test-database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createAuditService } from '../audit/audit-service.ts';

const binDir = await killableBinDir(inject('postgresUrl'));
const tenants = [v7(), v7(), v7()];
const tenantOf = (n: number) => tenants[n % tenants.length] ?? '';

let outside: TestCluster;
let postgres: OwnPostgres;
let behind: TestDatabase;
let caller: ComposedEngine;
let rounds: KillRounds;

beforeAll(async () => {
  if (binDir === null) return;
  outside = await createTestDatabase(inject('postgresUrl'));
  postgres = await startOwnPostgres(binDir);
  await migrate({ url: postgres.url, migrations: migrationList, log: quietLog });
  behind = openTestDatabase(postgres.url);
  caller = createComposedEngine(postgres.url, { executeStep: () => Promise.reject(), resolvePlaybook });
  rounds = createKillRounds({
    share: 1 / 3,
    postgres,
    ledger: await createEffectLedger(outside),
    database: behind,
    script: new URL('./killed-worker-fixture.ts', import.meta.url),
    start,
  });
});
afterAll(async () => {
  await rounds?.end();
  await Promise.allSettled([caller?.close(), behind?.close()]);
  await postgres?.remove();
  await outside?.drop();
});

/** As the product does: in a transaction that sees one tenant. */
async function start(n: number): Promise<string> {
  const tenantId = tenantOf(n);
  const run = { tenantId, kind: 'playbook', name: 'Load', traits: testTraits, trigger: benchTrigger };
  const { runId } = await caller.db.tenant(tenantId, (tx) =>
    caller.engine.startRun(caller.enginePool.client(tx), { ...run, ...fiveCalls(n), dedupKey: `load-${n}` }),
  );
  return runId;
}

/** What the tenant itself sees: its runs, by id, and how often the audit says of each that it started and ended. */
async function seenBy(tenantId: string) {
  const scope = trustedTenantScope(tenantId);
  return await caller.db.tenant(tenantId, async (tx) => {
    const { rows: runs } = await caller.enginePool
      .client(tx)
      .query<{ id: string }>('select id from engine.run where parent_run_id is null order by id');
    const { rows: changed } = await caller.enginePool
      .client(tx)
      .query<{ id: string }>(
        `select id from engine.step where kind = 'action' and iteration >= 0 and effect <> 'reads' order by id`,
      );
    const records = await tx.selectFrom('audit_record').select(['action', 'target_id']).execute();
    const toldOf = (action: string) =>
      records.flatMap((record) => (record.action === action ? (record.target_id ?? []) : [])).sort();
    const audit = await createAuditService({ now: () => new Date() }).verify(tx, scope);
    return { runs: runs.map(({ id }) => id), changed: changed.map(({ id }) => id), toldOf, audit };
  });
}

describe.skipIf(binDir === null)('kill -9 of the workers and the database of several tenants', () => {
  test('loses no run and no record, and mixes no tenants', { timeout: PLAY_WITHIN_MS }, async () => {
    const acknowledged = await rounds.play();
    for (const [at, tenant] of tenants.entries()) {
      const { runs, changed, toldOf, audit } = await seenBy(tenant);
      expect(runs).toEqual(acknowledged.filter((_, n) => n % tenants.length === at).sort());
      expect(audit).toMatchObject({ intact: true });
      for (const action of ['run.start', 'run.finish']) {
        const told = toldOf(action);
        expect(new Set(told).size).toBe(told.length);
        expect(runs.filter((id) => !told.includes(id))).toEqual([]);
      }
      expect(toldOf('action.run')).toEqual(changed);
    }
  });
});
