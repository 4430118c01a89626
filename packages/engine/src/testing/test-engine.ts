import { createEngine } from '../engine.ts';
import type { EngineEvent } from '../events.ts';
import type { ActionTraits, Engine, EngineDeps, EngineLog, StartRunInput } from '../interfaces.ts';
import type { TestDatabase } from './test-database.ts';
import { testEvaluator } from './test-evaluator.ts';
import { uuidV7 } from './test-ids.ts';

/** Collects the events of an engine's own transactions, so that tests await what they need instead of sleeping. */
export interface EventMonitor {
  readonly seen: readonly EngineEvent[];
  record(events: readonly EngineEvent[]): void;
  /** The first event, past or future, that fits. */
  until(fits: (event: EngineEvent) => boolean): Promise<EngineEvent>;
  finished(runId: string): Promise<EngineEvent>;
}

export function createEventMonitor(): EventMonitor {
  const seen: EngineEvent[] = [];
  const waiting = new Set<(event: EngineEvent) => void>();
  function until(fits: (event: EngineEvent) => boolean): Promise<EngineEvent> {
    const past = seen.find(fits);
    if (past) return Promise.resolve(past);
    return new Promise((resolve) => {
      const check = (event: EngineEvent) => {
        if (!fits(event)) return;
        waiting.delete(check);
        resolve(event);
      };
      waiting.add(check);
    });
  }
  return {
    seen,
    record(events) {
      seen.push(...events);
      for (const event of events) for (const check of [...waiting]) check(event);
    },
    until,
    finished: (runId) => until((event) => event.type === 'run.finished' && event.runId === runId),
  };
}

export type TestEngine = {
  readonly engine: Engine;
  readonly monitor: EventMonitor;
  readonly database: TestDatabase;
  start(input: Pick<StartRunInput, 'definition'> & Partial<StartRunInput>): Promise<string>;
};

export const reads: ActionTraits = { effect: 'reads', idempotent: true };
export const changes: ActionTraits = { effect: 'changes', idempotent: false };
export const changesIdempotently: ActionTraits = { effect: 'changes', idempotent: true };

export const testTraits = { read: reads, change: changes, put: changesIdempotently };

export const testTenant = '0190a000-0000-7000-8000-000000000001';

/** Long enough to be kept on a busy machine, short enough to wait for its end. */
export const shortLease = { leaseMs: 1_500, heartbeatMs: 200 };

/** An engine with a fast rhythm. It is not started; callers that start it must stop it. */
export function createTestEngine(database: TestDatabase, deps: Partial<EngineDeps> = {}): TestEngine {
  const monitor = createEventMonitor();
  const engine = createEngine({
    pool: database.pool,
    listen: database.listen,
    clock: { now: () => new Date() },
    ids: uuidV7,
    random: Math.random,
    log: silentLog,
    evaluator: testEvaluator,
    executeStep: async ({ input }) => input,
    ...deps,
    afterCommit: monitor.record,
    options: {
      pollMs: 20,
      reapMs: 20,
      heartbeatMs: 50,
      leaseMs: 10_000,
      abortGraceMs: 50,
      stopTimeoutMs: 2_000,
      ...deps.options,
    },
  });
  async function start(input: Pick<StartRunInput, 'definition'> & Partial<StartRunInput>): Promise<string> {
    const { runId } = await database.pool.transaction((tx) =>
      engine.startRun(tx, { tenantId: testTenant, kind: 'test', name: 'test', traits: testTraits, ...input }),
    );
    return runId;
  }
  return { engine, monitor, database, start };
}

export const silentLog: EngineLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A promise and the function that fulfils it. */
export function createGate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => undefined;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open: (value) => open(value) };
}
