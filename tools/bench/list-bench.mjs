import { figuresOf } from './registry.mjs';
import { importSource } from './sources.mjs';
import { withStand } from './stand-process.mjs';

const units = {
  list_per_s: 'requests/s',
  list_p50_ms: 'ms',
  list_p99_ms: 'ms',
  ...(process.platform === 'linux' ? { cpu_ms_per_list: 'ms' } : {}),
  fresh_per_s: 'requests/s',
  fresh_p99_ms: 'ms',
  ...(process.platform === 'linux' ? { cpu_ms_per_fresh: 'ms' } : {}),
  one_connection_p50_ms: 'ms',
  one_connection_p99_ms: 'ms',
  calm_p99_ms: 'ms',
  flooded_p99_ms: 'ms',
  flooded_to_calm: 'x',
  refused_per_s: 'requests/s',
};

/** Rounds on one server with 100,000 cases, in a process of its own with an embedded database of its own. */
export async function runList({ full }) {
  const { runListBench } = await importSource('apps/server/bench/list-bench.ts');
  return await withStand('apps/server/bench/list-stand.ts', ['20'], async (stand) => {
    const rounds = [];
    for (let round = 0; round < (full ? 3 : 1); round++) {
      rounds.push(await runListBench({ ...stand, seconds: full ? 20 : 10 }));
    }
    return figuresOf(rounds, units);
  });
}
