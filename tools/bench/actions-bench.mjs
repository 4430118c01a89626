import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const units = {
  catalogue_p95_ms: 'ms',
  activity_p95_ms: 'ms',
  start_p50_ms: 'ms',
  start_p99_ms: 'ms',
  idle_percent: '% of a core',
  polled_percent: '% of a core',
  polling_adds_percent: '% of a core',
  polls_per_s: 'polls/s',
};

/** One round: the polling alone takes minutes. The vendor is in this process, so that its work is not counted. */
export async function runActions({ full }) {
  const { runActionsBench } = await importSource('apps/server/bench/actions-bench.ts');
  const { startBenchVendor } = await importSource('apps/server/bench/bench-vendor.ts');
  const vendor = await startBenchVendor();
  try {
    return await withStand('apps/server/bench/actions-stand.ts', [String(vendor.port)], async (stand) => {
      const sizes = { starts: full ? 1000 : 300, pollSeconds: full ? 180 : 60 };
      return figuresOf([await runActionsBench({ ...stand, vendor, ...sizes })], units);
    });
  } finally {
    vendor.close();
  }
}
