import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createLiveMemory } from './live-memory.mjs';
import { metricOf } from './metrics.mjs';
import { memoryOfTree, processesOf, sumOf } from './process-tree.mjs';
import { sampleUntil } from './sampling.mjs';
import { withServer } from './server-benches.mjs';
import { importSource } from './sources.mjs';

const SAMPLE_MS = 5_000;
/** More than three looks at what is left in memory take. */
const LOOKING_S = 6;
/** What the first minutes fill (compiled code, pools, caches) stays. */
const SETTLING_SHARE = 1 / 6;
const MB = 'MB';
/** Of a tenant whose plan has searching. */
const ADMIN = 'marcus.bell@meridian-foods.example';

/** A mixed load for half an hour with --full, for three minutes without: memory, handles and answers, the end against the beginning. */
export async function runSoak({ full }) {
  if (process.platform !== 'linux') throw new Error('Memory of processes is read from /proc, which only Linux has.');
  const { runSoakBench } = await importSource('apps/server/bench/soak-bench.ts');
  const { runIngestBench } = await importSource('apps/server/bench/ingest-bench.ts');
  const seconds = full ? 1800 : 180;
  const windowS = seconds / 6;
  const live = createLiveMemory();
  const soak = async (target, server) => {
    // The demo writes its past in the first minute.
    for (let round = 0; round < 4; round++) await runIngestBench({ ...target, events: 120_000 });
    const samples = [];
    const measuring = new AbortController();
    const sampling = sampleUntil(measuring.signal, SAMPLE_MS, () =>
      samples.push({ at: performance.now(), ...sampleOf(server.pid) }),
    );
    const [load, livePerMinute] = await Promise.all([
      runSoakBench({ ...target, seconds, windowS }),
      liveGrowth({ live, server, seconds, windowS }),
    ]).finally(() => measuring.abort());
    await sampling;
    const settled = samples.slice(Math.ceil(samples.length * SETTLING_SHARE));
    const third = Math.floor(settled.length / 3);
    const [beginning, end] = [settled.slice(0, third), settled.slice(-third)];
    const medianOf = (part, key) =>
      metricOf(
        part.map((one) => one[key]),
        '',
      ).value;
    const storeFigures = (name, key) => ({
      [`${name}_first_mb`]: metricOf([medianOf(beginning, key)], MB),
      [`${name}_last_mb`]: metricOf([medianOf(end, key)], MB),
    });
    return {
      soak_minutes: metricOf([seconds / 60], 'min'),
      soak_events_per_s: metricOf([load.events_per_s], 'events/s'),
      soak_runs: metricOf([load.runs], 'runs'),
      soak_cases: metricOf([load.cases], 'cases'),
      soak_calls: metricOf([load.calls], 'calls'),
      soak_searches: metricOf([load.searches], 'searches'),
      rss_first_mb: metricOf([medianOf(beginning, 'rss')], MB),
      rss_last_mb: metricOf([medianOf(end, 'rss')], MB),
      rss_most_mb: metricOf([Math.max(...settled.map(({ rss }) => rss))], MB),
      // Over three minutes it shows when the system collects, and nothing else.
      ...(full ? { rss_slope_mb_per_min: metricOf([slopeOf(settled, 'rss')], 'MB/min') } : {}),
      live_growth_mb_per_min: metricOf([livePerMinute], 'MB/min'),
      ...storeFigures('postgres', 'postgres'),
      ...storeFigures('event_store', 'eventStore'),
      handles_first: metricOf([medianOf(beginning, 'handles')], ''),
      handles_last: metricOf([medianOf(end, 'handles')], ''),
      handles_growth: metricOf([medianOf(end, 'handles') - medianOf(beginning, 'handles')], ''),
      call_first_p99_ms: metricOf([load.first_call_p99_ms], 'ms'),
      call_last_p99_ms: metricOf([load.last_call_p99_ms], 'ms'),
      call_p99_ratio: metricOf([load.last_call_p99_ms / load.first_call_p99_ms], 'x'),
      search_first_p99_ms: metricOf([load.first_search_p99_ms], 'ms'),
      search_last_p99_ms: metricOf([load.last_search_p99_ms], 'ms'),
      ack_first_p99_ms: metricOf([load.first_ack_p99_ms], 'ms'),
      ack_last_p99_ms: metricOf([load.last_ack_p99_ms], 'ms'),
    };
  };
  return await withServer(soak, { admin: ADMIN, environment: live.environment }).finally(live.remove);
}

/** From the end of the first part to the beginning of the last: collecting takes time, which is in neither of those. */
async function liveGrowth({ live, server, seconds, windowS }) {
  const started = performance.now();
  const untilS = (second) => wait(Math.max(started + second * 1000 - performance.now(), 0));
  const look = async () => {
    const nodes = memoryOfTree(server.pid).filter(({ isNode }) => isNode);
    return { mb: await live.of(nodes.map(({ pid }) => pid)), at: performance.now() };
  };
  await untilS(windowS);
  const first = await look();
  await untilS(seconds - windowS - LOOKING_S);
  const last = await look();
  return (last.mb - first.mb) / ((last.at - first.at) / 60_000);
}

/**
 * `rss` and open files are of the server's own Node processes: the connections to PostgreSQL are among those. PostgreSQL's
 * processes share most of their memory, so theirs is PSS; the event store runs below this process.
 */
function sampleOf(pid) {
  const ofServer = new Set(processesOf(pid));
  const all = memoryOfTree(process.pid).filter((one) => one.pid !== process.pid);
  const server = all.filter((one) => ofServer.has(one.pid));
  const [node, postgres] = [true, false].map((isNode) => server.filter((one) => one.isNode === isNode));
  const eventStore = all.filter((one) => !ofServer.has(one.pid));
  return {
    rss: sumOf(node, 'rss_mb'),
    handles: node.reduce((total, one) => total + openFiles(one.pid), 0),
    postgres: sumOf(postgres, 'pss_mb'),
    eventStore: sumOf(eventStore, 'pss_mb'),
  };
}

function openFiles(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/** Per minute, by least squares: a single peak at the end says little. */
function slopeOf(samples, key) {
  const minutes = samples.map(({ at }) => at / 60_000);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(minutes), mean(samples.map((one) => one[key]))];
  const above = samples.reduce((sum, one, index) => sum + (minutes[index] - x) * (one[key] - y), 0);
  return above / minutes.reduce((sum, minute) => sum + (minute - x) ** 2, 0);
}
