import { figuresOf } from './registry.mjs';
import { importSource, withEmbeddedPostgres } from './sources.mjs';

const engineUnits = {
  runs_per_s: 'runs/s',
  sequential_ms_per_step: 'ms',
  start_p50_ms: 'ms',
  start_p99_ms: 'ms',
  cancel_p50_ms: 'ms',
  cancel_p99_ms: 'ms',
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
