import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const units = {
  loop_p50_ms: 'ms',
  loop_p99_ms: 'ms',
  loop_max_ms: 'ms',
  mixed_lists_per_s: 'requests/s',
  mixed_list_p99_ms: 'ms',
  mixed_events_per_s: 'events/s',
  mixed_ack_p99_ms: 'ms',
  mixed_runs_per_s: 'runs/s',
  mixed_start_p99_ms: 'ms',
};

/** On one server with 100,000 cases of 20 tenants. */
export async function runMixed({ full }) {
  const { runMixedBench } = await importSource('apps/server/bench/mixed-bench.ts');
  return await withStand('apps/server/bench/mixed-stand.ts', ['20'], async (stand) =>
    figuresOf([await runMixedBench({ ...stand, seconds: full ? 120 : 30 })], units),
  );
}
