import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const parts = ['filtered', 'facets', 'opened', 'changed', 'overview'];
const units = {
  cases: 'cases',
  ...Object.fromEntries(parts.flatMap((part) => [`${part}_p50_ms`, `${part}_p95_ms`]).map((name) => [name, 'ms'])),
};

/** One tenant with 100,000 cases, in a process of its own with an embedded database of its own. */
export async function runCases({ full }) {
  const { runCasesBench } = await importSource('apps/server/bench/cases-bench.ts');
  return await withStand('apps/server/bench/list-stand.ts', ['1'], async (stand) =>
    figuresOf([await runCasesBench({ ...stand, rounds: full ? 1000 : 200 })], units),
  );
}
