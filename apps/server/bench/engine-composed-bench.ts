/**
 * The engine on the schema of the product: row-level security, audit chain and live stream on, fsync on. Counts are asserted:
 * a figure is only given when every run ended as it should.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ActionNode, Definition } from '@airdeck/engine/definition';
import pg from 'pg';
import { v7 } from 'uuid';
import { migrationList } from '../src/storage/migration-list.ts';
import { migrate } from '../src/storage/migrations.ts';
import { benchLog, benchTrigger, type ComposedEngine, createComposedEngine } from './composed-engine.ts';

export type ComposedEngineOptions = {
  readonly databaseUrl: string;
  readonly runs: number;
  readonly sequentialRuns: number;
  /** Runs in flight when the worker is killed. */
  readonly inFlight: number;
  /** Delays and questions that wait while the worker is killed. */
  readonly waiting: number;
};

export type ComposedEngineResult = Readonly<Record<string, number>>;

const STEPS = 5;
const STARTERS = 16;
const CANCELS = 50;
const tenants = Array.from({ length: 4 }, () => v7());
const poisonedTenant = v7();
const traits = {
  'bench.read': { effect: 'reads', idempotent: true },
  'bench.change': { effect: 'changes', idempotent: true },
  'bench.stop': { effect: 'reads', idempotent: true },
  'bench.throw': { effect: 'reads', idempotent: true },
  'bench.hang': { effect: 'reads', idempotent: true },
} as const;

const chain = (...names: (keyof typeof traits)[]): Definition => ({
  inputs: { type: 'object', properties: { n: { type: 'number' } } },
  actions: names.map((action, at): ActionNode => {
    const depends_on = at === 0 ? [] : [`s${at - 1}`];
    return { id: `s${at}`, kind: 'action', action, input: { n: '{{ inputs.n }}' }, depends_on };
  }),
});
/** Three steps look something up, two change something, which is audited each time. */
const fiveSteps = chain('bench.read', 'bench.read', 'bench.read', 'bench.change', 'bench.change');
const stopping = chain('bench.read', 'bench.stop', 'bench.read', 'bench.change', 'bench.change');

export async function runComposedEngineBench(options: ComposedEngineOptions): Promise<ComposedEngineResult> {
  await migrate({ url: options.databaseUrl, migrations: migrationList, log: benchLog });
  const sql = new pg.Pool({ connectionString: options.databaseUrl, max: 2 });
  try {
    return {
      ...(await measureWorking(sql, options)),
      ...(await measureBesidePoison(sql, options)),
      ...(await measureRestart(sql, options)),
      ...(await measureWaiting(sql, options)),
    };
  } finally {
    await sql.end();
  }
}

function starterOf({ engine, enginePool }: ComposedEngine) {
  let n = 0;
  return async (definition: Definition, name = 'bench'): Promise<{ tenantId: string; runId: string }> => {
    n += 1;
    const tenantId = tenants[n % tenants.length] ?? v7();
    const input = { tenantId, kind: 'playbook', name, definition, traits, trigger: benchTrigger, inputs: { n } };
    const { runId } = await enginePool.pool.transaction((tx) => engine.startRun(tx, input));
    return { tenantId, runId };
  };
}

/** Throughput, overhead, start and cancel, with the worker in this process. */
async function measureWorking(sql: pg.Pool, { databaseUrl, runs, sequentialRuns }: ComposedEngineOptions) {
  const ended = new Map<string, () => void>();
  const stopped = new Map<string, () => void>();
  const firstStep = new Map<string, number>();
  const composed = createComposedEngine(databaseUrl, {
    async executeStep({ runId, name, input, signal }) {
      if (!firstStep.has(runId)) firstStep.set(runId, performance.now());
      if (name !== 'bench.stop') return input;
      stopped.get(runId)?.();
      return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    afterCommit(events) {
      for (const event of events) if (event.type === 'run.finished') ended.get(event.runId)?.();
    },
    options: { concurrency: 128 },
  });
  // The worker may be done before the start has returned: the ids are chosen beforehand.
  let n = 0;
  async function start(definition: Definition) {
    n += 1;
    const [runId, tenantId] = [v7(), tenants[n % tenants.length] ?? v7()];
    const end = new Promise<void>((resolve) => ended.set(runId, resolve));
    const stop = new Promise<void>((resolve) => stopped.set(runId, resolve));
    const startedAt = performance.now();
    const input = { tenantId, kind: 'playbook', name: 'bench', definition, traits, trigger: benchTrigger };
    await composed.enginePool.pool.transaction((tx) =>
      composed.engine.startRun(tx, { ...input, inputs: { n }, runId }),
    );
    return { tenantId, runId, end, stop, startedAt };
  }
  async function one(): Promise<number> {
    const { runId, end, startedAt } = await start(fiveSteps);
    await end;
    return (firstStep.get(runId) ?? Number.NaN) - startedAt;
  }
  async function cancelled(): Promise<number> {
    const { tenantId, runId, end, stop } = await start(stopping);
    await stop;
    const calledAt = performance.now();
    await composed.enginePool.pool.transaction((tx) => composed.engine.cancelRun(tx, { tenantId, runId, by: 'Bench' }));
    await end;
    return performance.now() - calledAt;
  }
  await composed.engine.start();
  try {
    await inParallel(100, 32, one);
    const sequentialFrom = performance.now();
    const starts = await inParallel(sequentialRuns, 1, one);
    const sequentialMs = performance.now() - sequentialFrom;
    const bytesBefore = await databaseBytes(sql);
    const from = performance.now();
    await inParallel(runs, 128, one);
    const seconds = (performance.now() - from) / 1000;
    const bytesAfter = await databaseBytes(sql);
    const cancels = await inParallel(CANCELS, 4, cancelled);
    await expectCount(sql, `status = 'success'`, 100 + sequentialRuns + runs);
    await expectCount(sql, `status = 'cancelled'`, CANCELS);
    await expectAudited(sql, 100 + sequentialRuns + runs);
    return {
      runs_per_s: runs / seconds,
      run_stored_kb: (bytesAfter - bytesBefore) / 1000 / runs,
      sequential_ms_per_step: sequentialMs / (sequentialRuns * STEPS),
      start_p50_ms: at(starts, 0.5),
      start_p99_ms: at(starts, 0.99),
      cancel_p50_ms: at(cancels, 0.5),
      cancel_p99_ms: at(cancels, 0.99),
    };
  } finally {
    await composed.engine.stop();
    await composed.close();
    await sql.query('truncate engine.run, engine.job cascade');
  }
}

/**
 * Runs of four tenants at a steady rate, alone and then while a fifth tenant keeps forty runs open whose steps throw at once
 * and are tried again, or hang until their time is over: which part of the others still ends in time.
 */
async function measureBesidePoison(sql: pg.Pool, { databaseUrl }: ComposedEngineOptions) {
  const [PER_SECOND, SECONDS, POISONED] = [100, 10, 40];
  const ended = new Map<string, () => void>();
  const composed = createComposedEngine(databaseUrl, {
    async executeStep({ name, input, signal }) {
      if (name === 'bench.throw') throw new Error('poison');
      if (name !== 'bench.hang') return input;
      return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    afterCommit(events) {
      for (const event of events) if (event.type === 'run.finished') ended.get(event.runId)?.();
    },
    options: { concurrency: 128 },
  });
  async function one(tenantId: string, definition: Definition): Promise<number> {
    const runId = v7();
    const end = new Promise<void>((resolve) => ended.set(runId, resolve));
    const from = performance.now();
    const input = { tenantId, kind: 'playbook', name: 'bench', definition, traits, trigger: benchTrigger };
    await composed.enginePool.pool.transaction((tx) =>
      composed.engine.startRun(tx, { ...input, inputs: { n: 1 }, runId }),
    );
    await end;
    ended.delete(runId);
    return performance.now() - from;
  }
  /** How many of the runs of the stretch had ended when it was over, and how long each took. */
  async function stretch() {
    const times: number[] = [];
    const all: Promise<unknown>[] = [];
    const from = performance.now();
    for (let n = 0; n < PER_SECOND * SECONDS; n++) {
      await wait(Math.max(0, from + (n * 1000) / PER_SECOND - performance.now()));
      all.push(one(tenants[n % tenants.length] ?? v7(), fiveSteps).then((ms) => times.push(ms)));
    }
    const inTime = times.length;
    await Promise.all(all);
    return { inTime, p99: at(times, 0.99) };
  }
  const poisonOf = (action: 'bench.throw' | 'bench.hang'): Definition => ({
    actions: [{ id: 'bad', kind: 'action', action, timeout_s: 1, retry: { max_attempts: 5, backoff_s: 1 } }],
  });
  await composed.engine.start();
  try {
    await inParallel(100, 32, () => one(tenants[0] ?? v7(), fiveSteps));
    const alone = await stretch();
    let poisoning = true;
    const poison = Array.from({ length: POISONED }, async (_, n) => {
      while (poisoning) await one(poisonedTenant, poisonOf(n % 2 === 0 ? 'bench.throw' : 'bench.hang'));
    });
    await wait(2_000);
    const beside = await stretch();
    poisoning = false;
    await Promise.all(poison);
    await expectCount(sql, `status = 'success'`, 100 + 2 * PER_SECOND * SECONDS);
    if ((await countOf(sql, 'engine.run', `status = 'error'`)) < POISONED) throw new Error('No poison was there.');
    return {
      beside_poison_percent: (100 * beside.inTime) / alone.inTime,
      alone_run_p99_ms: alone.p99,
      beside_poison_run_p99_ms: beside.p99,
    };
  } finally {
    await composed.engine.stop();
    await composed.close();
    await sql.query('truncate engine.run, engine.job cascade');
  }
}

/** From the start of the process that takes over, its loading included. */
async function measureRestart(sql: pg.Pool, { databaseUrl, inFlight }: ComposedEngineOptions) {
  const caller = createComposedEngine(databaseUrl, { executeStep: async () => null });
  const start = starterOf(caller);
  const first = await startStand(databaseUrl, 'stuck');
  await inParallel(inFlight, STARTERS, () => start(stopping));
  while ((await countOf(sql, 'engine.step', `status = 'running' and name = 'bench.stop'`)) < inFlight) await wait(50);
  await first.kill();
  const from = Date.now();
  const second = await startStand(databaseUrl, 'free');
  const firstStepAt = await second.firstStep;
  while ((await countOf(sql, 'engine.run', 'finished_at is null')) > 0) await wait(50);
  const allMs = Date.now() - from;
  await second.kill();
  await caller.close();
  await expectCount(sql, `status = 'success'`, inFlight);
  await sql.query('truncate engine.run, engine.job cascade');
  return { resumed_first_s: (firstStepAt - from) / 1000, resumed_all_s: allMs / 1000 };
}

/** Delays and questions with a default answer, due one after the other within twenty seconds. */
async function measureWaiting(sql: pg.Pool, { databaseUrl, waiting }: ComposedEngineOptions) {
  const WINDOW_S = 20;
  const caller = createComposedEngine(databaseUrl, { executeStep: async () => null });
  const start = starterOf(caller);
  const options = [{ value: 'yes', label: 'Yes' }];
  const dueFrom = Date.now() + 15_000 + waiting * 8;
  let n = 0;
  await inParallel(waiting, STARTERS, () => {
    n += 1;
    const seconds = Math.ceil((dueFrom + (n / waiting) * WINDOW_S * 1000 - Date.now()) / 1000);
    if (seconds < 1) throw new Error('The runs were not started in time; this machine is too slow for this bench.');
    const delay: ActionNode = { id: 'wait', kind: 'delay', seconds };
    const question = { expires_in_s: seconds, default_option: 'yes', message: 'Go on?', options };
    const node: ActionNode = n % 2 === 0 ? delay : { id: 'wait', kind: 'prompt', ...question };
    return start({ actions: [node] }, `wait-${seconds}`);
  });
  const before = await startStand(databaseUrl, 'free');
  while ((await countOf(sql, 'engine.step', `status = 'waiting'`)) < waiting) await wait(50);
  await before.kill();
  const after = await startStand(databaseUrl, 'free');
  while ((await countOf(sql, 'engine.run', 'finished_at is null')) > 0) await wait(100);
  await after.kill();
  await caller.close();
  await expectCount(sql, `status = 'success'`, waiting);
  const { rows } = await sql.query<{ late: number }>(
    `select extract(epoch from s.finished_at - s.created_at)::float8 - split_part(r.name, '-', 2)::float8 as late
     from engine.step s join engine.run r on r.id = s.run_id order by late`,
  );
  const late = rows.map((row) => row.late * 1000);
  if ((late[0] ?? 0) < -5) throw new Error(`Something fired ${-(late[0] ?? 0)} ms too early.`);
  return { late_p50_ms: at(late, 0.5), late_p99_ms: at(late, 0.99), late_most_ms: late.at(-1) ?? Number.NaN };
}

async function startStand(databaseUrl: string, mode: 'stuck' | 'free') {
  const path = fileURLToPath(new URL('engine-stand.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', path, databaseUrl, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const lines = linesOf(child);
  await lines.working;
  return {
    firstStep: lines.firstStep,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function linesOf(child: ChildProcess) {
  let said: { working(): void; step(at: number): void } = { working: () => undefined, step: () => undefined };
  const working = new Promise<void>((resolve) => {
    said = { ...said, working: resolve };
  });
  const firstStep = new Promise<number>((resolve) => {
    said = { ...said, step: resolve };
  });
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'working') said.working();
      if (line.startsWith('step ')) said.step(Number(line.slice(5)));
    });
  }
  return { working, firstStep };
}

/** The results of `count` calls, at most `width` of them open at a time. */
async function inParallel<T>(count: number, width: number, work: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let left = count;
  await Promise.all(
    Array.from({ length: Math.min(width, count) }, async () => {
      while (left > 0) {
        left -= 1;
        results.push(await work());
      }
    }),
  );
  return results;
}

async function countOf(sql: pg.Pool, table: string, condition: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(`select count(*)::int as count from ${table} where ${condition}`);
  return rows[0]?.count ?? 0;
}

/** With indexes, and with what finished jobs leave behind until PostgreSQL uses it again. */
async function databaseBytes(sql: pg.Pool): Promise<number> {
  const { rows } = await sql.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  return Number(rows[0]?.bytes);
}

async function expectCount(sql: pg.Pool, condition: string, expected: number): Promise<void> {
  const count = await countOf(sql, 'engine.run', condition);
  if (count !== expected) throw new Error(`Runs with ${condition}: expected ${expected}, found ${count}.`);
}

/** Start, end and both changes of each run, in the audit chain; cancelled ones have others and are left out. */
async function expectAudited(sql: pg.Pool, runs: number): Promise<void> {
  const changes = await countOf(sql, 'audit_record', `action = 'action.run'`);
  if (changes !== runs * 2) throw new Error(`Audited changes: expected ${runs * 2}, found ${changes}.`);
  const starts = await countOf(sql, 'audit_record', `action = 'run.start'`);
  if (starts !== runs + CANCELS) throw new Error(`Audited starts: expected ${runs + CANCELS}, found ${starts}.`);
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
