/** Kills of workers and of PostgreSQL under load (`testing/kill-rounds.ts`), on the engine by itself. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { fiveCalls, resolveCrashPlaybook } from './testing/crash-definitions.ts';
import { createEffectLedger } from './testing/effect-ledger.ts';
import { createKillRounds, type KillRounds, PLAY_WITHIN_MS } from './testing/kill-rounds.ts';
import { killableBinDir, type OwnPostgres, startOwnPostgres } from './testing/own-postgres.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

const binDir = await killableBinDir(testServerUrl());

let outside: TestCluster;
let postgres: OwnPostgres;
let cluster: TestCluster;
let rounds: KillRounds;

beforeAll(async () => {
  if (binDir === null) return;
  outside = await createTestDatabase(testServerUrl());
  postgres = await startOwnPostgres(binDir);
  cluster = await createTestDatabase(postgres.url);
  const caller = createTestEngine(cluster.database, { resolvePlaybook: resolveCrashPlaybook });
  rounds = createKillRounds({
    share: 2 / 3,
    postgres,
    ledger: await createEffectLedger(outside),
    database: cluster.database,
    script: new URL('./testing/crash-child.ts', import.meta.url),
    start: (n) => caller.start({ ...fiveCalls(n), dedupKey: `load-${n}` }),
  });
});
afterAll(async () => {
  await rounds?.end();
  await cluster?.drop().catch(() => undefined);
  await postgres?.remove();
  await outside?.drop();
});

describe.skipIf(binDir === null)('kill -9 of workers and of PostgreSQL under load', () => {
  it('loses no acknowledged run, takes back no end, and doubles no effect', { timeout: PLAY_WITHIN_MS }, async () => {
    await rounds.play();
  });
});
