/**
 * The five-step runs of `engine-bench.ts` on DBOS Transact: a workflow of five steps, each checkpointed with its answer. It is
 * started in the process that runs it, which spares it the claim of a run by whichever worker is free. It is also spared
 * definitions, expressions, one audit row per transition and fair shares of tenants. Counts are asserted here too.
 */
import { performance } from 'node:perf_hooks';
import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { createTestDatabase } from '../src/testing/test-database.ts';
import { uuidV7 } from '../src/testing/test-ids.ts';
import type { EngineBenchOptions } from './engine-bench.ts';
import { type MeasuredRuns, measureRuns, STEPS } from './measured-runs.ts';

/** As many as graphile-worker has in the same comparison. */
const CONNECTIONS = 24;

export async function runDbosBench(options: EngineBenchOptions): Promise<MeasuredRuns> {
  const { runs = 2_000, sequentialRuns = 100, concurrency = 128 } = options;
  const cluster = await createTestDatabase(options.databaseUrl);
  const pool = new pg.Pool({ connectionString: cluster.database.url, max: CONNECTIONS });
  pool.on('error', console.error);
  pool.on('connect', (client) => client.on('error', console.error));
  try {
    DBOS.setConfig({ name: 'bench', systemDatabaseUrl: cluster.database.url, systemDatabasePool: pool, logger: quiet });
    const { runOne, started } = createRuns();
    await DBOS.launch();
    try {
      const measured = await measureRuns(runOne, { runs, sequentialRuns, concurrency });
      await assertCounts(pool, started());
      return measured;
    } finally {
      await DBOS.shutdown({ deregister: true });
    }
  } finally {
    await pool.end();
    await cluster.drop();
  }
}

function createRuns() {
  const firstStepAt = new Map<string, number>();
  let started = 0;
  const fiveSteps = DBOS.registerWorkflow(
    async (runId: string, n: number) => {
      let last = n;
      for (let step = 0; step < STEPS; step += 1) {
        last = await DBOS.runStep(
          async () => {
            if (step === 0) firstStepAt.set(runId, performance.now());
            return last;
          },
          { name: `step${step}` },
        );
      }
      return last;
    },
    { name: 'five-steps' },
  );

  async function runOne(): Promise<number> {
    started += 1;
    const runId = uuidV7();
    const calledAt = performance.now();
    const run = await DBOS.startWorkflow(fiveSteps, { workflowID: runId })(runId, started);
    await run.getResult();
    return (firstStepAt.get(runId) ?? Number.NaN) - calledAt;
  }

  return { runOne, started: () => started };
}

async function assertCounts(pool: pg.Pool, runs: number): Promise<void> {
  const { rows } = await pool.query<{ runs: number; steps: number }>(
    `select (select count(*)::int from dbos.workflow_status where status = 'SUCCESS') as runs,
            (select count(*)::int from dbos.operation_outputs where error is null) as steps`,
  );
  const expected = { runs, steps: runs * STEPS };
  if (JSON.stringify(rows[0]) !== JSON.stringify(expected)) {
    throw new Error(`DBOS: expected ${JSON.stringify(expected)}, found ${JSON.stringify(rows[0])}`);
  }
}

const quiet = {
  debug: () => undefined,
  info: () => undefined,
  warn: (entry: unknown) => console.error(entry),
  error: (entry: unknown) => console.error(entry),
};
