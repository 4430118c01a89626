/**
 * Processes killed with SIGKILL under load: workers and PostgreSQL in turn, at moments counted in effects and not in time.
 * `ENGINE_CHAOS_KILLS` sets how many there are in all, sixty by itself, a thousand with `npm test -- --full`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { SqlClient } from '../interfaces.ts';
import { listStalledRuns } from '../reads.ts';
import { CALLS_PER_RUN } from './crash-definitions.ts';
import { callsOf, type EffectLedger, endedRuns, untilAllEnded } from './effect-ledger.ts';
import type { OwnPostgres } from './own-postgres.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

const ALL_KILLS = Number(process.env.ENGINE_CHAOS_KILLS ?? 60);
/** For a test that plays all rounds; a busy machine is slow without being wrong. */
export const PLAY_WITHIN_MS = 600_000 + ALL_KILLS * 5_000;
const RUNS_PER_KILL = 12;
/** Of the sixty effects or so that follow a start; a kill comes after one of these. */
const MOST_EFFECTS_BEFORE_KILL = 30;

export type KillGround = {
  /** Of all kills, those that happen here. */
  readonly share: number;
  readonly postgres: OwnPostgres;
  /** On another server, which is not killed. */
  readonly ledger: EffectLedger;
  /** The database on the server that is killed. */
  readonly database: { readonly url: string; readonly sql: SqlClient };
  /** A worker that takes `CRASH_DATABASE_URL` and `CRASH_EFFECTS_URL`. */
  readonly script: URL;
  /** Starts the n-th run, under a key that makes a second start of it none. Resolves to its id. */
  readonly start: (n: number) => Promise<string>;
};

export interface KillRounds {
  /** Kills and watches until every run has ended, and expects nothing lost, taken back or doubled. Returns the runs' ids. */
  play(): Promise<readonly string[]>;
  /** Ends the workers. */
  end(): Promise<void>;
}

export function createKillRounds(ground: KillGround): KillRounds {
  const { database, ledger, postgres } = ground;
  const kills = killsOf(ground);
  const workers: Promise<WorkerProcess>[] = [];

  /** A database that is away makes a worker's start fail, as it does the product's; whoever watches over it starts it again. */
  async function launch(): Promise<WorkerProcess> {
    const environment = { CRASH_DATABASE_URL: database.url, CRASH_EFFECTS_URL: ledger.url };
    for (let tries = 0; tries < 20; tries += 1) {
      try {
        return await startWorker(ground.script, environment);
      } catch {
        // It says why on stderr.
      }
    }
    throw new Error('No worker would start.');
  }

  /** Asks again until it is answered, as a caller does that must not start a run twice. */
  async function startAcknowledged(n: number): Promise<string> {
    for (;;) {
      try {
        return await ground.start(n);
      } catch {
        await sleep(10);
      }
    }
  }

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

  async function play(): Promise<readonly string[]> {
    const acknowledged: string[] = [];
    const startSome = async (round: number) => {
      for (let n = 0; n < RUNS_PER_KILL; n += 1) acknowledged.push(await startAcknowledged(round * RUNS_PER_KILL + n));
    };
    const ended = new Map<string, string>();
    workers.push(launch(), launch());
    await Promise.all(workers);
    for (let round = 0; round < kills; round += 1) {
      const starting = startSome(round);
      await ledger.grownBy(1 + Math.floor(Math.random() * MOST_EFFECTS_BEFORE_KILL));
      await (round % 2 === 0 ? killWorker((round / 2) % workers.length) : killPostgres());
      await starting;
      for (const [id, status] of await endedRuns(database)) ended.set(id, ended.get(id) ?? status);
    }
    await untilAllEnded(database);

    const finals = await endedRuns(database);
    expect(acknowledged.filter((id) => finals.get(id) !== 'success')).toEqual([]);
    expect([...ended].filter(([id, status]) => finals.get(id) !== status)).toEqual([]);
    expect(finals.size).toBe(kills * RUNS_PER_KILL);
    await expectCallsAccountedFor(ground);
    expect(await listStalledRuns(database.sql, 10)).toEqual([]);
    // Nothing but our kills ended a worker: one whose database goes away waits for it.
    expect((await Promise.all(workers)).map((worker) => worker.how())).toEqual(workers.map(() => null));
    return acknowledged;
  }

  return {
    play,
    async end() {
      for (const worker of workers) await worker.then(({ kill }) => kill()).catch(() => undefined);
    },
  };
}

/** Every call succeeded with its effect, or is recorded as unknown; what must not be repeated was not. */
async function expectCallsAccountedFor(ground: KillGround): Promise<void> {
  const { database, ledger } = ground;
  const kills = killsOf(ground);
  const [calls, keys] = await Promise.all([callsOf(database), ledger.keys()]);
  const succeeded = calls.filter(({ status }) => status === 'success');
  expect(await ledger.doubled()).toEqual([]);
  expect(calls).toHaveLength(kills * RUNS_PER_KILL * CALLS_PER_RUN);
  expect(calls.filter(({ status, code }) => status !== 'success' && code !== 'OUTCOME_UNKNOWN')).toEqual([]);
  expect(succeeded.filter(({ key }) => !keys.has(key))).toEqual([]);
  expect(succeeded.length).toBeGreaterThan(calls.length * 0.8);
  // The kills met work: otherwise they prove nothing.
  const interrupted = calls.filter(({ attempt, code }) => attempt > 1 || code === 'OUTCOME_UNKNOWN');
  expect(interrupted.length).toBeGreaterThanOrEqual(kills / 4);
}

function killsOf({ share }: KillGround): number {
  return Math.round(ALL_KILLS * share);
}
