/**
 * The worker's rhythm: claim on wake-up and poll, extend leases, take back those that expired or whose worker is gone, fire
 * schedules, stop gracefully.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Claim, claimJobs } from './claim.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Dispatcher } from './dispatch.ts';
import { messageOf } from './errors.ts';
import { type Fairness, URGENT_SLOTS } from './fairness.ts';
import type { Finisher } from './finish.ts';
import { handBack, heartbeat } from './heartbeat.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { EngineLog, Listen, SqlPool } from './interfaces.ts';
import { createLoop, type Loop } from './loop.ts';
import { createLostWorkers, findAbsent, type LostWorkers } from './lost-workers.ts';
import type { EngineOptions } from './options.ts';
import { nextDueAt, promoteDueJobs, reapEarlierProcess, reapExpiredLeases, reapOwners } from './reap.ts';
import { abortChannel, wakeChannel } from './run-save.ts';
import type { Solitude } from './solitude.ts';
import { createSuspectTurns } from './suspects.ts';

const DRAIN_CHECK_MS = 10;
/** Between two claims: gathers a burst of starts into one. */
const CLAIM_GAP_MS = 4;
const SCHEDULE_EVERY_MS = 1_000;
/** In the time after which a worker counts as gone. */
const LOOKS = 3;

export type WorkerDeps = {
  readonly pool: SqlPool;
  readonly listen: Listen;
  /** Resolves to the function that ends it. */
  readonly showPresence: (() => Promise<() => Promise<void>>) | undefined;
  readonly clock: DatabaseClock;
  readonly owner: string;
  readonly held: HeldJobs;
  readonly fairness: Fairness;
  readonly solitude: Solitude;
  readonly finisher: Finisher;
  readonly dispatcher: Dispatcher;
  readonly fireSchedules: () => Promise<number>;
  readonly log: EngineLog;
  readonly options: EngineOptions;
};

export interface Worker {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** A slot became free; claims only when the last claim left work behind. */
  onSlotFree(): void;
}

export function createWorker(deps: WorkerDeps): Worker {
  const { options, log } = deps;
  const claims = createClaimPass(deps);
  const loops: Loop[] = [];
  let claimLoop: Loop | undefined;
  let promoteLoop: Loop | undefined;
  let heartbeats: Loop | undefined;
  let unlisten: (() => Promise<void>)[] = [];
  let leave: (() => Promise<void>) | undefined;
  let dueTimer: NodeJS.Timeout | undefined;

  function loop(task: () => Promise<unknown>, everyMs: number, what: string, gapMs = 0): Loop {
    const onError = (error: unknown) => log.error({ error: messageOf(error) }, `${what} failed`);
    const created = createLoop(task, { everyMs, gapMs, onError });
    loops.push(created);
    return created;
  }

  /** Promotes what is due and sets an alarm for what comes before the next poll. */
  async function promotePass(): Promise<void> {
    const due = await deps.pool.transaction(async (tx) => {
      const promoted = await promoteDueJobs(tx, deps.clock.now());
      if (promoted > 0) claimLoop?.wake();
      return nextDueAt(tx);
    });
    clearTimeout(dueTimer);
    const inMs = due ? due.getTime() - deps.clock.now().getTime() : Number.POSITIVE_INFINITY;
    if (inMs < options.pollMs) dueTimer = setTimeout(() => promoteLoop?.wake(), Math.max(inMs, 0));
  }

  async function start(): Promise<void> {
    await deps.clock.sync();
    leave = await deps.showPresence?.();
    const name = options.exclusiveName;
    if (name)
      await deps.pool.transaction((tx) => reapEarlierProcess(tx, { name, owner: deps.owner, now: deps.clock.now() }));
    claimLoop = loop(claims.pass, options.pollMs, 'claiming', CLAIM_GAP_MS);
    promoteLoop = loop(promotePass, options.pollMs, 'promoting due jobs');
    heartbeats = loop(() => heartbeatPass(deps), options.heartbeatMs, 'heartbeat');
    loop(() => reapPass(deps, () => claimLoop?.wake()), options.reapMs, 'reaping');
    if (leave) {
      const lost = createLostWorkers({ nowMs: () => performance.now(), absentMs: options.absentMs });
      const look = () => lookPass(deps, lost, () => claimLoop?.wake());
      loop(look, options.absentMs / LOOKS, 'looking for lost workers');
    }
    loop(deps.fireSchedules, SCHEDULE_EVERY_MS, 'firing schedules');
    unlisten = [
      await deps.listen(wakeChannel, () => claimLoop?.wake()),
      await deps.listen(abortChannel, (runId) => deps.held.abortRun(runId)),
    ];
    for (const each of loops) each.wake();
  }

  async function stop(): Promise<void> {
    claims.stop();
    clearTimeout(dueTimer);
    await Promise.all(loops.filter((each) => each !== heartbeats).map((each) => each.stop()));
    clearTimeout(dueTimer);
    await drain(deps);
    await heartbeats?.stop();
    for (const end of unlisten) await end();
    await leave?.();
  }

  return { start, stop, onSlotFree: () => claims.leftWork() && claimLoop?.wake() };
}

function createClaimPass(deps: WorkerDeps) {
  const { pool, clock, owner, held, fairness, solitude, dispatcher, options } = deps;
  const { kinds, carryOut } = dispatcher;
  const turns = createSuspectTurns({ pool, clock, owner, solitude, kinds, carryOut, leaseMs: options.leaseMs });
  let stopped = false;
  let leftWork = false;
  let suspectsWait = false;
  let lastTenant: string | null = null;

  /**
   * With no slot left, for tenants that have their share, and beside a suspect, only what is urgent is taken, on slots of its
   * own.
   */
  async function claim(limit: number): Promise<Claim> {
    const claimed = await claimJobs(pool, {
      owner,
      kinds: dispatcher.kinds,
      limit,
      urgentLimit: Math.min(URGENT_SLOTS, options.concurrency - held.size() + URGENT_SLOTS),
      leaseUntil: new Date(clock.now().getTime() + options.leaseMs),
      afterTenant: lastTenant,
      held: held.counts(),
      slotsShared: fairness.slotsShared,
      slotsAlone: fairness.slotsAlone,
    });
    fairness.note(claimed.waiting);
    return claimed;
  }

  async function pass(): Promise<void> {
    while (!stopped) {
      await turns.pass({ suspectsWait, othersWait: leftWork, running: held.others() });
      const free = solitude.isOpen() ? Math.max(options.concurrency - held.size(), 0) : 0;
      const { jobs, waiting, suspects, ...claimed } = await claim(free);
      leftWork = waiting.first !== null;
      suspectsWait = suspects;
      if (free > 0) lastTenant = claimed.lastTenant;
      for (const job of jobs) dispatcher.carryOut(job);
      // With several tenants waiting, small queues leave part of their share to a second claim.
      if (jobs.length === 0 || (jobs.length < free && waiting.first === waiting.last)) return;
    }
  }

  return {
    pass,
    leftWork: () => leftWork || !solitude.isOpen(),
    stop() {
      stopped = true;
    },
  };
}

async function heartbeatPass({ pool, clock, owner, held, log, options }: WorkerDeps): Promise<void> {
  await clock.sync();
  const leases = held.leases();
  if (leases.length === 0) return;
  const leaseUntil = new Date(clock.now().getTime() + options.leaseMs);
  const { lost, toAbort } = await pool.transaction((tx) => heartbeat(tx, { owner, held: leases, leaseUntil }));
  // A job that ended while the heartbeat was under way is missing too, but is no longer held.
  const current = new Map(held.leases().map((lease) => [lease.jobId, lease]));
  const gone = lost.filter((id) => current.has(id));
  if (gone.length > 0) log.warn({ jobs: gone.length }, 'leases lost');
  held.lose(gone);
  held.abortJobs(toAbort);
}

async function reapPass({ pool, clock, log }: WorkerDeps, onFound: () => void): Promise<void> {
  const found = await pool.transaction((tx) => reapExpiredLeases(tx, clock.now()));
  if (found === 0) return;
  log.warn({ jobs: found }, 'took back expired leases');
  onFound();
}

async function lookPass(
  { pool, clock, owner, log }: WorkerDeps,
  workers: LostWorkers,
  onFound: () => void,
): Promise<void> {
  const found = await pool
    .transaction(async (tx) => {
      const owners = workers.note(await findAbsent(tx, owner));
      return owners.length === 0 ? 0 : await reapOwners(tx, { owners, now: clock.now() });
    })
    .catch((error: unknown) => {
      workers.missed();
      throw error;
    });
  if (found === 0) return;
  log.warn({ jobs: found }, 'took over from lost workers');
  onFound();
}

/** Waits for what runs; what is not done in time is aborted and its lease handed back for others to take at once. */
async function drain({ pool, owner, held, finisher, dispatcher, log, options }: WorkerDeps): Promise<void> {
  const deadline = performance.now() + options.stopTimeoutMs;
  await untilEmpty(held, deadline);
  if (held.size() > 0) {
    log.warn({ jobs: held.size() }, 'stopping what is still running');
    held.abortAll();
    await untilEmpty(held, performance.now() + options.abortGraceMs * 2);
  }
  await finisher.idle();
  const leases = [...dispatcher.abandoned(), ...held.leases()];
  if (leases.length > 0) await pool.transaction((tx) => handBack(tx, owner, leases));
}

async function untilEmpty(held: HeldJobs, deadline: number): Promise<void> {
  while (held.size() > 0 && performance.now() < deadline) await sleep(DRAIN_CHECK_MS);
}
