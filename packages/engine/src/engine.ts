/** The facade: wires the parts and delegates. */
import { uptime } from 'node:os';
import { createCallMarker } from './call-mark.ts';
import { cancelRun } from './cancel.ts';
import { createDatabaseClock } from './database-clock.ts';
import { createDefinitionCache } from './definition-cache.ts';
import { createDispatcher } from './dispatch.ts';
import { createFairness } from './fairness.ts';
import { createFinisher } from './finish.ts';
import { createHeldJobs } from './held-jobs.ts';
import { holdTenant, releaseTenant } from './holds.ts';
import type { Engine, EngineDeps, RunTracing, SqlClient } from './interfaces.ts';
import { enqueueJob } from './jobs.ts';
import { PRESENT, showPresence } from './lost-workers.ts';
import { createOpenRunLimit } from './open-runs.ts';
import { defaultOptions } from './options.ts';
import { answerPrompt } from './prompts.ts';
import { fireDueSchedules, type NextSlot, putSchedule, removeSchedule } from './schedule.ts';
import { createSolitude } from './solitude.ts';
import { startRun } from './start-run.ts';
import { createWorker } from './worker.ts';

/** Creates an engine; nothing runs until `start()`. A program that only starts runs and answers prompts need not start it. */
export function createEngine(deps: EngineDeps): Engine {
  const options = { ...defaultOptions, ...deps.options };
  const { pool, ids, random, log, evaluator } = deps;
  const keepSession = options.exclusiveName === undefined ? deps.keepSession : undefined;
  const owner = keepSession ? `${PRESENT}${ids()}` : `${options.exclusiveName ?? 'worker'}/${ids()}`;
  const clock = createDatabaseClock({
    ...{ clock: deps.clock, nowMs: () => performance.now(), uptimeMs: () => uptime() * 1000 },
    ...{ pool, follow: options.followDatabaseClock },
    onSet: (byMs) => log.warn({ by_s: Math.round(byMs / 1000) }, 'the clock of the database was set'),
  });
  const now = clock.now;
  const onEvents = deps.onEvents ?? (async () => undefined);
  const afterCommit = deps.afterCommit ?? (() => undefined);
  const tracing = deps.tracing ?? noTracing;
  const definitions = createDefinitionCache();
  const machine = { evaluator, ids, random, ...options };
  const resolvePlaybook = deps.resolvePlaybook ?? (() => Promise.resolve(null));
  const signalling = { ...machine, definitions, now, onEvents, resolvePlaybook, validHashes: new Set<string>() };
  const requireRoom = createOpenRunLimit(options.maxOpenRuns);
  const held = createHeldJobs();
  const fairness = createFairness(options);
  const state = { started: false, stopping: false };
  const solitude = createSolitude({
    nowMs: () => performance.now(),
    aloneMs: options.aloneMs,
    firstTurnMs: options.leaseMs,
    isHeld: held.has,
  });
  const mayTakeOn = () => !state.stopping && solitude.isOpen();

  const finisher = createFinisher({
    ...signalling,
    pool,
    owner,
    log,
    afterCommit,
    holdAppliesTo: deps.holdAppliesTo ?? (() => true),
    giveUpAfterMs: options.leaseMs * 2,
    isTransient: deps.isTransient ?? (() => false),
    freeSlotsOf: (tenantId) => fairness.slotsOf(tenantId) - held.countOf(tenantId),
    freeSlots: () => (mayTakeOn() ? options.concurrency - held.size() : Number.NEGATIVE_INFINITY),
  });
  // Giving up is the step's error; its own time limit is reached first where that is shorter.
  const marking = { batchSize: options.batchSize, giveUpAfterMs: Math.max(options.leaseMs * 2, options.stepTimeoutMs) };
  const markCall = createCallMarker({ pool, owner, now, random, ...marking });
  const dispatcher = createDispatcher({
    held,
    finisher,
    log,
    execute: { executeStep: deps.executeStep, tracing, markCall, log, ...options },
    jobs: { pool, owner, now, random, log, onEvents, afterCommit, ...options },
    jobHandlers: deps.jobHandlers ?? {},
    isStopping: () => state.stopping,
    isOpen: solitude.isOpen,
    onSlotFree: () => worker.onSlotFree(),
  });
  const scheduling = { nextSlot: deps.nextSlot ?? noSchedules, ids, now };
  const fireSchedules = () =>
    pool.transaction((tx) => fireDueSchedules(tx, { ...scheduling, kinds: dispatcher.kinds }));
  const worker = createWorker({
    pool,
    listen: deps.listen,
    showPresence: keepSession && (() => showPresence(keepSession, owner)),
    clock,
    owner,
    held,
    fairness,
    solitude,
    finisher,
    dispatcher,
    fireSchedules,
    log,
    options,
  });

  /** Times are written by it, and only workers measure by themselves. */
  async function onTime<T>(tx: SqlClient, work: () => Promise<T>): Promise<T> {
    await clock.fresh(tx);
    return await work();
  }

  return {
    startRun: (tx, input) => onTime(tx, () => startRun(tx, input, { ...signalling, requireRoom, tracing })),
    answerPrompt: (tx, answer) => onTime(tx, () => answerPrompt(tx, answer, signalling)),
    cancelRun: (tx, request) => onTime(tx, () => cancelRun(tx, request, signalling)),
    hold: (tx, tenantId) => onTime(tx, () => holdTenant(tx, tenantId, now())),
    release: releaseTenant,
    enqueueJob: (tx, input) => onTime(tx, () => enqueueJob(tx, input, { ids, now })),
    schedule: (tx, input) => onTime(tx, () => putSchedule(tx, input, scheduling)),
    unschedule: removeSchedule,
    jobKinds: dispatcher.kinds,
    async start() {
      state.started = true;
      await worker.start();
    },
    async stop() {
      if (!state.started) return;
      state.stopping = true;
      await worker.stop();
      state.started = false;
    },
    stats: () => ({ running: held.size(), queuedResults: finisher.size(), started: state.started }),
  };
}

const noSchedules: NextSlot = () => {
  throw new Error('no nextSlot port was given');
};

const noTracing: RunTracing = {
  contextOf: () => null,
  attempt: (_of, work) => work(),
};
