import { metricOf } from './metrics.mjs';
import { memoryOfTree, sumOf } from './process-tree.mjs';
import { sampleUntil } from './sampling.mjs';
import { withServer } from './server-benches.mjs';
import { importSource } from './sources.mjs';

const ROUND = 60_000;
const WARM_UP_S = 60;
const SAMPLE_MS = 1000;

/** Memory of the server's own Node processes while it takes as many events as it can, the second half against the first. */
export async function runIngestMemory({ full }) {
  return await measureMemory({ minutes: full ? 10 : 2, warmUpS: WARM_UP_S });
}

export async function measureMemory({ minutes, warmUpS }) {
  if (process.platform !== 'linux') throw new Error('Memory of processes is read from /proc, which only Linux has.');
  const { runIngestBench } = await importSource('apps/server/bench/ingest-bench.ts');
  return await withServer(async (target, server) => {
    const loadFor = async (seconds) => {
      const until = performance.now() + seconds * 1000;
      let events = 0;
      while (performance.now() < until) {
        // Throws unless all of them are stored.
        await runIngestBench({ ...target, events: ROUND });
        events += ROUND;
      }
      return events;
    };
    // What the first minute fills (compiled code, pools, caches) stays.
    await loadFor(warmUpS);
    const samples = [];
    const measuring = new AbortController();
    const sampled = sampleUntil(measuring.signal, SAMPLE_MS, () => {
      const own = memoryOfTree(server.pid).filter((one) => one.isNode);
      samples.push(sumOf(own, 'own_mb'));
    });
    const from = performance.now();
    const events = await loadFor(minutes * 60);
    const seconds = (performance.now() - from) / 1000;
    measuring.abort();
    await sampled;
    const half = Math.floor(samples.length / 2);
    const first = metricOf(samples.slice(0, half), 'MB');
    const second = metricOf(samples.slice(half), 'MB');
    const grown = second.value - first.value;
    return {
      first_half_mb: first,
      second_half_mb: second,
      growth_mb_per_min: metricOf([grown / (seconds / 60 / 2)], 'MB/min'),
      growth_percent: metricOf([(grown / first.value) * 100], '%'),
      most_mb: metricOf([Math.max(...samples)], 'MB'),
      load_minutes: metricOf([seconds / 60], 'min'),
      load_per_s: metricOf([events / seconds], 'events/s'),
    };
  });
}
