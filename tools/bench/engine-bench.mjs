import { figuresOf } from './registry.mjs';
import { importSource, withEmbeddedPostgres } from './sources.mjs';

const engineUnits = {
  runs_per_s: 'runs/s',
  run_stored_kb: 'kB',
  sequential_ms_per_step: 'ms',
  start_p50_ms: 'ms',
  start_p99_ms: 'ms',
  cancel_p50_ms: 'ms',
  cancel_p99_ms: 'ms',
  beside_poison_percent: '%',
  alone_run_p99_ms: 'ms',
  beside_poison_run_p99_ms: 'ms',
  resumed_first_s: 's',
  resumed_all_s: 's',
  late_p50_ms: 'ms',
  late_p99_ms: 'ms',
  late_most_ms: 'ms',
};

/** Each round on a database server of its own: what one leaves behind must not be measured by the next. */
export async function runEngine({ full }) {
  const { runComposedEngineBench } = await importSource('apps/server/bench/engine-composed-bench.ts');
  const sizes = { runs: full ? 5000 : 2000, sequentialRuns: full ? 300 : 100, inFlight: 1000, waiting: 10_000 };
  const rounds = [];
  for (let round = 0; round < (full ? 3 : 1); round++) {
    rounds.push(await withEmbeddedPostgres((databaseUrl) => runComposedEngineBench({ databaseUrl, ...sizes })));
  }
  return figuresOf(rounds, engineUnits);
}

/** What each peer's part of the comparison is called, and where it is. */
const peers = {
  graphile: async () => (await importSource('packages/engine/bench/graphile-worker-bench.ts')).runGraphileWorkerBench,
  dbos: async () => (await importSource('packages/engine/bench/dbos-bench.ts')).runDbosBench,
};

const peerUnits = {
  runs_per_s: 'runs/s',
  sequential_ms_per_step: 'ms',
  start_p50_ms: 'ms',
  ...Object.fromEntries(
    Object.keys(peers).flatMap((name) => [
      [`${name}_runs_per_s`, 'runs/s'],
      [`${name}_runs_ratio`, 'times'],
      [`${name}_sequential_ms_per_step`, 'ms'],
      [`${name}_sequential_ratio`, 'times'],
      [`${name}_start_p50_ms`, 'ms'],
    ]),
  ),
};

/** In turns, and each round in the other order, so that what the machine does besides meets all. */
export async function runEnginePeer({ full }) {
  return await comparePeers({ rounds: full ? 6 : 4, runs: full ? 3000 : 1000, sequentialRuns: 100 });
}

export async function comparePeers({ rounds, ...sizes }) {
  const { runEngineBench } = await importSource('packages/engine/bench/engine-bench.ts');
  const benches = [['ours', runEngineBench]];
  for (const [name, load] of Object.entries(peers)) benches.push([name, await load()]);
  return await withEmbeddedPostgres(async (databaseUrl) => {
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const measured = {};
      for (const [name, run] of round % 2 === 0 ? benches : benches.toReversed()) {
        measured[name] = await run({ databaseUrl, ...sizes });
      }
      results.push(compared(measured));
    }
    return figuresOf(results, peerUnits);
  });
}

/** Ratios above 1: ours is the faster one. */
function compared({ ours, ...others }) {
  const figures = {
    runs_per_s: ours.runs_per_s,
    sequential_ms_per_step: ours.sequential_ms_per_step,
    start_p50_ms: ours.start_latency_p50_ms,
  };
  for (const [name, peer] of Object.entries(others)) {
    Object.assign(figures, {
      [`${name}_runs_per_s`]: peer.runs_per_s,
      [`${name}_runs_ratio`]: ours.runs_per_s / peer.runs_per_s,
      [`${name}_sequential_ms_per_step`]: peer.sequential_ms_per_step,
      [`${name}_sequential_ratio`]: peer.sequential_ms_per_step / ours.sequential_ms_per_step,
      [`${name}_start_p50_ms`]: peer.start_latency_p50_ms,
    });
  }
  return figures;
}

const expressionUnits = {
  expressions: '',
  per_s: '/s',
  p99_ms: 'ms',
  longest_ms: 'ms',
  over_50_ms: '',
  most_heap_mb: 'MB',
  most_heap_once_mb: 'MB',
};

export async function runExpressions({ full }) {
  const { runExpressionBench } = await importSource('packages/expression/bench/expression-bench.ts');
  return figuresOf([runExpressionBench({ count: full ? 1_000_000 : 50_000, seed: 20_261_121 })], expressionUnits);
}
