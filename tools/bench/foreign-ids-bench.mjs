import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const units = { foreign_p50_ms: 'ms', unknown_p50_ms: 'ms', most_apart_ms: 'ms' };
const PAIRS = 200;

export async function runForeignIds({ full }) {
  const { runForeignIdsBench } = await importSource('apps/server/bench/foreign-ids-bench.ts');
  return await withStand('apps/server/bench/foreign-ids-stand.ts', [], async (stand) =>
    figuresOf([await runForeignIdsBench(stand, full ? PAIRS * 10 : PAIRS)], units),
  );
}
