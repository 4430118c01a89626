/**
 * Processes killed with SIGKILL under load: workers and PostgreSQL in turn, at moments counted in effects and not in time.
 * `ENGINE_CHAOS_KILLS` sets how many, sixty by itself; nothing else changes with it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listStalledRuns } from './reads.ts';
import { CALLS_PER_RUN, fiveCalls, resolveCrashPlaybook } from './testing/crash-definitions.ts';
import { callsOf, createEffectLedger, type EffectLedger, endedRuns, untilAllEnded } from './testing/effect-ledger.ts';
import { binDirOf, type OwnPostgres, startOwnPostgres } from './testing/own-postgres.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine, type TestEngine } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';
import { startWorker, type WorkerProcess } from './testing/worker-process.ts';

const KILLS = Number(process.env.ENGINE_CHAOS_KILLS ?? 60);
const RUNS_PER_KILL = 12;
/** Of the sixty effects or so that follow a start; a kill comes after one of these. */
const MOST_EFFECTS_BEFORE_KILL = 30;

const binDir = await binDirOf(testServerUrl());
const hasPrograms = existsSync(join(binDir, 'initdb'));

let outside: TestCluster;
let ledger: EffectLedger;
let postgres: OwnPostgres;
let cluster: TestCluster;
const workers: Promise<WorkerProcess>[] = [];

beforeAll(async () => {
  if (!hasPrograms) return;
  outside = await createTestDatabase(testServerUrl());
  ledger = await createEffectLedger(outside);
  postgres = await startOwnPostgres(binDir);
  cluster = await createTestDatabase(postgres.url);
});
afterAll(async () => {
  for (const worker of workers) await worker.then(({ kill }) => kill()).catch(() => undefined);
  await cluster?.drop().catch(() => undefined);
  await postgres?.remove();
  await outside?.drop();
});

/** A database that is away makes a worker's start fail, as it does the product's; whoever watches over it starts it again. */
async function launch(): Promise<WorkerProcess> {
  const environment = { CRASH_DATABASE_URL: cluster.database.url, CRASH_EFFECTS_URL: ledger.url };
  for (let tries = 0; tries < 20; tries += 1) {
    try {
      return await startWorker(new URL('./testing/crash-child.ts', import.meta.url), environment);
    } catch {
      // It says why on stderr.
    }
  }
  throw new Error('No worker would start.');
}

/** Asks again until it is answered, with a key, as a caller does that must not start a run twice. */
async function startAcknowledged(caller: TestEngine, n: number): Promise<string> {
  for (;;) {
    try {
      return await caller.start({ ...fiveCalls(n), dedupKey: `load-${n}` });
    } catch {
      await sleep(10);
    }
  }
}

describe.skipIf(!hasPrograms)('kill -9 of workers and of PostgreSQL under load', () => {
  it('loses no acknowledged run, takes back no end, and doubles no effect', { timeout: 900_000 }, async () => {
    const caller = createTestEngine(cluster.database, { resolvePlaybook: resolveCrashPlaybook });
    const acknowledged: string[] = [];
    const startSome = async (round: number) => {
      for (let n = 0; n < RUNS_PER_KILL; n += 1)
        acknowledged.push(await startAcknowledged(caller, round * RUNS_PER_KILL + n));
    };
    const ended = new Map<string, string>();
    workers.push(launch(), launch());
    await Promise.all(workers);
    for (let round = 0; round < KILLS; round += 1) {
      const starting = startSome(round);
      await ledger.grownBy(1 + Math.floor(Math.random() * MOST_EFFECTS_BEFORE_KILL));
      await (round % 2 === 0 ? killWorker((round / 2) % workers.length) : killPostgres());
      await starting;
      for (const [id, status] of await endedRuns(cluster.database)) ended.set(id, ended.get(id) ?? status);
    }
    await untilAllEnded(cluster.database);

    const finals = await endedRuns(cluster.database);
    expect(acknowledged.filter((id) => finals.get(id) !== 'success')).toEqual([]);
    expect([...ended].filter(([id, status]) => finals.get(id) !== status)).toEqual([]);
    expect(finals.size).toBe(KILLS * RUNS_PER_KILL);
    await expectCallsAccountedFor();
    expect(await listStalledRuns(cluster.database.sql, 10)).toEqual([]);
    // Nothing but our kills ended a worker: one whose database goes away waits for it.
    expect((await Promise.all(workers)).map((worker) => worker.how())).toEqual(workers.map(() => null));
  });
});

async function killWorker(at: number): Promise<void> {
  const worker = await workers[at];
  expect(worker?.how()).toBeNull();
  await worker?.kill();
  // The next kill does not wait for it, so that the other one is now and then alone.
  workers[at] = launch();
}

async function killPostgres(): Promise<void> {
  await postgres.kill();
  await postgres.restart();
}

/** Every call succeeded with its effect, or is recorded as unknown; what must not be repeated was not. */
async function expectCallsAccountedFor(): Promise<void> {
  const [calls, keys] = await Promise.all([callsOf(cluster.database), ledger.keys()]);
  const succeeded = calls.filter(({ status }) => status === 'success');
  expect(await ledger.doubled()).toEqual([]);
  expect(calls).toHaveLength(KILLS * RUNS_PER_KILL * CALLS_PER_RUN);
  expect(calls.filter(({ status, code }) => status !== 'success' && code !== 'OUTCOME_UNKNOWN')).toEqual([]);
  expect(succeeded.filter(({ key }) => !keys.has(key))).toEqual([]);
  expect(succeeded.length).toBeGreaterThan(calls.length * 0.8);
  // The kills met work: otherwise they prove nothing.
  const interrupted = calls.filter(({ attempt, code }) => attempt > 1 || code === 'OUTCOME_UNKNOWN');
  expect(interrupted.length).toBeGreaterThanOrEqual(KILLS / 4);
}
