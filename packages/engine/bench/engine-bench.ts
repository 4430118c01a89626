/**
 * Measures the engine on a real PostgreSQL with fsync on, listeners writing one row per transition.
 * Counts are asserted: a number is only reported when every run succeeded and every transition was written.
 */
import { performance } from 'node:perf_hooks';
import type { Definition } from '../src/definition.ts';
import { createEngine } from '../src/engine.ts';
import type { EngineEvent } from '../src/events.ts';
import type { Engine, EngineLog, SqlClient } from '../src/interfaces.ts';
import { createTestDatabase, type TestDatabase } from '../src/testing/test-database.ts';
import { testEvaluator } from '../src/testing/test-evaluator.ts';
import { uuidV7 } from '../src/testing/test-ids.ts';
import { type MeasuredRuns, measureRuns, STEPS } from './measured-runs.ts';

export type EngineBenchOptions = {
  readonly databaseUrl: string;
  /** Five-step runs of the throughput part. Default 2000. */
  readonly runs?: number;
  /** Five-step runs done one after the other. Default 100. */
  readonly sequentialRuns?: number;
  readonly concurrency?: number;
};

const TENANTS = 4;

const definition: Definition = {
  inputs: { type: 'object', properties: { n: { type: 'number' } } },
  actions: Array.from({ length: STEPS }, (_, index) => ({
    id: `step${index}`,
    kind: 'action' as const,
    action: 'bench.noop',
    input: { n: '{{ inputs.n }}' },
    depends_on: index === 0 ? [] : [`step${index - 1}`],
  })),
  outputs: { last: `{{ actions.step${STEPS - 1}.output.n }}` },
};

const tenants = Array.from({ length: TENANTS }, () => uuidV7());

export async function runEngineBench(options: EngineBenchOptions): Promise<MeasuredRuns> {
  const { runs = 2_000, sequentialRuns = 100, concurrency = 128 } = options;
  const cluster = await createTestDatabase(options.databaseUrl);
  const { database } = cluster;
  const bench = createBench(database, cluster.open(), concurrency);
  try {
    await prepareAudit(database.sql);
    await bench.engine.start();
    const measured = await measureRuns(bench.runOne, { runs, sequentialRuns, concurrency });
    await assertCounts(database.sql, bench.started());
    return measured;
  } finally {
    await bench.engine.stop();
    await cluster.drop();
  }
}

/** Callers have connections of their own, as an API beside a worker has. */
function createBench(database: TestDatabase, callers: TestDatabase, concurrency: number) {
  const waiting = new Map<string, () => void>();
  const finishedEarly = new Set<string>();
  const firstStepAt = new Map<string, number>();
  let started = 0;
  const engine: Engine = createEngine({
    pool: database.pool,
    listen: database.listen,
    clock: { now: () => new Date() },
    ids: uuidV7,
    random: Math.random,
    log: quiet,
    evaluator: testEvaluator,
    executeStep: async ({ input, runId }) => {
      if (!firstStepAt.has(runId)) firstStepAt.set(runId, performance.now());
      return input;
    },
    onEvents: writeAudit,
    afterCommit(events) {
      for (const event of events) if (event.type === 'run.finished') finished(event.runId);
    },
    options: { concurrency },
  });

  function finished(runId: string): void {
    const resolve = waiting.get(runId);
    if (resolve) resolve();
    else finishedEarly.add(runId);
    waiting.delete(runId);
  }

  /** Resolves when the run has finished, with the time from the call of start to the first step. */
  async function runOne(): Promise<number> {
    started += 1;
    const n = started;
    const tenantId = tenants[n % TENANTS] ?? uuidV7();
    const calledAt = performance.now();
    const { runId } = await callers.pool.transaction((tx) =>
      engine.startRun(tx, { tenantId, kind: 'bench', name: 'bench', definition, traits, inputs: { n } }),
    );
    await new Promise<void>((resolve) => {
      if (finishedEarly.delete(runId)) resolve();
      else waiting.set(runId, resolve);
    });
    return (firstStepAt.get(runId) ?? Number.NaN) - calledAt;
  }

  return { engine, runOne, started: () => started };
}

const traits = { 'bench.noop': { effect: 'reads', idempotent: true } } as const;

async function prepareAudit(sql: SqlClient): Promise<void> {
  await sql.query(
    'create table public.audit (id bigint generated always as identity primary key, tenant_id uuid, type text, body jsonb)',
  );
}

async function writeAudit(tx: SqlClient, events: readonly EngineEvent[]): Promise<void> {
  await tx.query(
    'insert into public.audit (tenant_id, type, body) select * from unnest($1::uuid[], $2::text[], $3::jsonb[])',
    [
      events.map(({ tenantId }) => tenantId),
      events.map(({ type }) => type),
      events.map((event) => JSON.stringify(event)),
    ],
  );
}

async function assertCounts(sql: SqlClient, runs: number): Promise<void> {
  const { rows } = await sql.query<{ name: string; count: number }>(
    `select 'runs' as name, count(*)::int from engine.run where status = 'success'
     union all select 'steps', count(*)::int from engine.step where status = 'success' and attempt = 1
     union all select 'jobs', count(*)::int from engine.job
     union all select type, count(*)::int from public.audit group by type`,
  );
  const counts = Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  const expected: Record<string, number> = {
    runs,
    steps: runs * STEPS,
    jobs: 0,
    'run.created': runs,
    'run.started': runs,
    'step.started': runs * STEPS,
    'step.finished': runs * STEPS,
    'run.finished': runs,
  };
  for (const [name, count] of Object.entries(expected)) {
    if (counts[name] !== count) throw new Error(`${name}: expected ${count}, found ${counts[name] ?? 0}`);
  }
}

const quiet: EngineLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => console.warn(message, fields),
  error: (fields, message) => console.error(message, fields),
};

const databaseUrl = process.env.ENGINE_BENCH_DATABASE_URL;
if (databaseUrl && process.argv[1]?.endsWith('engine-bench.ts')) {
  console.log(await runEngineBench({ databaseUrl, runs: Number(process.env.RUNS ?? 2_000) }));
}
