import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const RATES = [1000, 7500];
const units = {
  action_p50_ms: 'ms',
  action_p99_ms: 'ms',
  actions: 'actions',
  background_per_s: 'events/s',
  half_rate_action_p50_ms: 'ms',
  half_rate_action_p99_ms: 'ms',
  half_rate_per_s: 'events/s',
};

/** At an ordinary rate, then at half of what ingestion takes at most. What is called is in this process. */
export async function runAlertToAction({ full }) {
  const { runAlertBench } = await importSource('apps/server/bench/alert-bench.ts');
  const { startBenchVendor } = await importSource('apps/server/bench/bench-vendor.ts');
  const vendor = await startBenchVendor();
  try {
    return await withStand('apps/server/bench/alert-stand.ts', [String(vendor.port)], async (stand) => {
      const [ordinary, half] = await runAlertBench({ ...stand, vendor, seconds: full ? 60 : 20, rates: RATES });
      const {
        action_p50_ms: half_rate_action_p50_ms,
        action_p99_ms: half_rate_action_p99_ms,
        background_per_s: half_rate_per_s,
      } = half;
      return figuresOf([{ ...ordinary, half_rate_action_p50_ms, half_rate_action_p99_ms, half_rate_per_s }], units);
    });
  } finally {
    vendor.close();
  }
}
