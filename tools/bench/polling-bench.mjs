import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const units = { dashboards: 'dashboards', calls_per_s: 'calls/s', core_share: '% of a core', polling_p99_ms: 'ms' };

/** 500 open dashboards over 100 tenants with 1,000 cases each. */
export async function runPolling({ full }) {
  const { runPollingBench } = await importSource('apps/server/bench/polling-bench.ts');
  return await withStand('apps/server/bench/list-stand.ts', ['100'], async (stand) =>
    figuresOf([await runPollingBench({ ...stand, seconds: full ? 300 : 120 })], units),
  );
}
