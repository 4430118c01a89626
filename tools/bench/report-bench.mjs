import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const parts = ['dashboard', 'log_report', 'soar_report', 'executive_facts', 'executive_file'];
const units = {
  events: 'events',
  ...Object.fromEntries(parts.flatMap((part) => [`${part}_p50_ms`, `${part}_p95_ms`]).map((name) => [name, 'ms'])),
};

/** 20 tenants with 100,000 cases and the events of ninety days. */
export async function runReports({ full }) {
  const { runReportBench } = await importSource('apps/server/bench/report-bench.ts');
  return await withStand('apps/server/bench/report-stand.ts', [full ? '10000000' : '1000000'], async (stand) =>
    figuresOf([await runReportBench({ ...stand, rounds: 40 })], units),
  );
}
