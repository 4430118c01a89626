/**
 * The five-step runs of `engine-bench.ts` on graphile-worker: one job a step, each writing its answer and adding the next job
 * in one statement, so that a run is as durable as ours. It is spared what ours also does: definitions, expressions, one
 * audit row per transition, fair shares of tenants. Counts are asserted here too.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger, type Runner, run, runMigrations, type TaskList } from 'graphile-worker';
import pg from 'pg';
import { createTestDatabase } from '../src/testing/test-database.ts';
import { uuidV7 } from '../src/testing/test-ids.ts';
import type { EngineBenchOptions } from './engine-bench.ts';
import { type MeasuredRuns, measureRuns, STEPS } from './measured-runs.ts';

const CALLER_CONNECTIONS = 4;
/** With one connection for each job at work, as its own documentation advises; ours shares four. */
const JOBS_AT_ONCE = 24;
const JOBS_GONE_WITHIN_MS = 10_000;

const addJob = `graphile_worker.add_job('step', json_build_object('run', $1::uuid, 'step', $2::int, 'n', $3::int))`;
const statements = {
  tables: `create table public.peer_run (id uuid primary key, started_at timestamptz not null, finished_at timestamptz);
    create table public.peer_step (run_id uuid not null, step int not null, output jsonb, primary key (run_id, step))`,
  start: `with started as (insert into public.peer_run (id, started_at) values ($1::uuid, now())) select ${addJob}`,
  step: `with done as (insert into public.peer_step (run_id, step, output) values ($1::uuid, $2::int - 1, to_jsonb($3::int)))
    select ${addJob}`,
  last: `with done as (insert into public.peer_step (run_id, step, output) values ($1::uuid, $2::int - 1, to_jsonb($3::int)))
    update public.peer_run set finished_at = now() where id = $1::uuid`,
};

type StepPayload = { run: string; step: number; n: number };

export async function runGraphileWorkerBench(options: EngineBenchOptions): Promise<MeasuredRuns> {
  const { runs = 2_000, sequentialRuns = 100, concurrency = 128 } = options;
  const cluster = await createTestDatabase(options.databaseUrl);
  const connection = { connectionString: cluster.database.url };
  const worker = new pg.Pool({ ...connection, max: JOBS_AT_ONCE + 1 });
  const callers = new pg.Pool({ ...connection, max: CALLER_CONNECTIONS });
  for (const pool of [worker, callers]) {
    pool.on('error', console.error);
    pool.on('connect', (client) => client.on('error', console.error));
  }
  try {
    await runMigrations({ pgPool: worker, logger: quiet });
    await callers.query(statements.tables);
    const bench = await startBench(worker, callers);
    try {
      const measured = await measureRuns(bench.runOne, { runs, sequentialRuns, concurrency });
      await untilJobsAreGone(callers);
      await assertCounts(callers, bench.started());
      return measured;
    } finally {
      await bench.runner.stop();
    }
  } finally {
    await Promise.all([worker.end(), callers.end()]);
    await cluster.drop();
  }
}

async function startBench(worker: pg.Pool, callers: pg.Pool) {
  const waiting = new Map<string, () => void>();
  const firstStepAt = new Map<string, number>();
  let started = 0;
  const taskList: TaskList = {
    async step(payload, { withPgClient }) {
      const { run: runId, step, n } = payload as StepPayload;
      if (step === 0) firstStepAt.set(runId, performance.now());
      const name = step < STEPS - 1 ? 'step' : 'last';
      await withPgClient((client) => client.query({ name, text: statements[name], values: [runId, step + 1, n] }));
      if (step === STEPS - 1) waiting.get(runId)?.();
    },
  };
  const runner: Runner = await run({
    pgPool: worker,
    taskList,
    concurrency: JOBS_AT_ONCE,
    noHandleSignals: true,
    logger: quiet,
    parsedCronItems: [],
  });

  async function runOne(): Promise<number> {
    started += 1;
    const runId = uuidV7();
    const ended = new Promise<void>((resolve) => waiting.set(runId, resolve));
    const calledAt = performance.now();
    await callers.query({ name: 'start', text: statements.start, values: [runId, 0, started] });
    await ended;
    waiting.delete(runId);
    return (firstStepAt.get(runId) ?? Number.NaN) - calledAt;
  }

  return { runner, runOne, started: () => started };
}

/** The last step of a run ends before its job is taken away. */
async function untilJobsAreGone(sql: pg.Pool): Promise<void> {
  const until = performance.now() + JOBS_GONE_WITHIN_MS;
  while (performance.now() < until) {
    const { rows } = await sql.query('select 1 from graphile_worker.jobs limit 1');
    if (rows.length === 0) return;
    await wait(50);
  }
}

async function assertCounts(sql: pg.Pool, runs: number): Promise<void> {
  const { rows } = await sql.query<{ runs: number; steps: number; jobs: number }>(
    `select (select count(*)::int from public.peer_run where finished_at is not null) as runs,
            (select count(*)::int from public.peer_step) as steps,
            (select count(*)::int from graphile_worker.jobs) as jobs`,
  );
  const expected = { runs, steps: runs * STEPS, jobs: 0 };
  if (JSON.stringify(rows[0]) !== JSON.stringify(expected)) {
    throw new Error(`graphile-worker: expected ${JSON.stringify(expected)}, found ${JSON.stringify(rows[0])}`);
  }
}

const quiet = new Logger(() => (level, message) => {
  if (level === 'error' || level === 'warning') console.error(message);
});
