import { bundleLimits } from './bundle-limits.mjs';
import { metricOf } from './metrics.mjs';

/**
 * Every bench by name: what it measures, the limits it is held to, and how it is run. A bench lives beside its subject;
 * here it only gets what it needs (an empty database, a running server) and its results become figures.
 */
export const benches = {
  start: {
    measures: 'time from npm start to ready with everything installed and built, and memory after 90 s of idling',
    needsBuild: ['server', 'dashboard'],
    limits: {
      first_start: { atMost: 5 },
      start: { atMost: 5 },
      idle_node_rss: { atMost: 350 },
      idle_all_rss: { atMost: 900 },
    },
    run: async (options) => (await import('./start-bench.mjs')).runStartBench(options),
  },
  ingest: {
    measures:
      'events acknowledged durable per second: 450-byte NDJSON in batches of 500; accepted = stored = searchable; then the same with 3,000 policies',
    needsBuild: ['server', 'dashboard'],
    limits: {
      events_per_s: { atLeast: 15_000 },
      ack_p99_ms: { atMost: 2000 },
      many_policies_events_per_s: { atLeast: 6000 },
      many_policies_ack_p99_ms: { atMost: 2000 },
    },
    run: async (options) => (await import('./server-benches.mjs')).runIngest(options),
  },
  'ingest-overload': {
    measures:
      'more than the server has room for: how fast batches are refused, each with Retry-After; what was acknowledged is stored, once',
    needsBuild: ['server', 'dashboard'],
    limits: { overload_probe_p99_ms: { atMost: 50 } },
    run: async (options) => (await import('./server-benches.mjs')).runIngestOverload(options),
  },
  'ingest-noisy': {
    measures:
      'batches of a tenant alone, and beside another that sends at 20 times its quota and heeds no Retry-After; none of its own is refused, and what was acknowledged is stored',
    needsBuild: ['server', 'dashboard'],
    limits: { beside_ratio: { atMost: 1.5 } },
    run: async (options) => (await import('./server-benches.mjs')).runIngestNoisy(options),
  },
  'ingest-memory': {
    measures:
      'memory of the server while it takes as many events as it can for 2 minutes (10 with --full), the second half against the first',
    needsBuild: ['server', 'dashboard'],
    limits: { growth_percent: { atMost: 10 } },
    run: async (options) => (await import('./memory-bench.mjs')).runIngestMemory(options),
  },
  soak: {
    measures:
      'half the load two cores can take, of events, cases, runs, lists, searches and home pages, for 3 minutes (30 with --full): memory, open files and answers of the end against the beginning',
    needsBuild: ['server', 'dashboard'],
    limits: {
      rss_slope_mb_per_min: { atMost: 1 },
      live_growth_mb_per_min: { atMost: 1 },
      handles_growth: { atMost: 5 },
      call_p99_ratio: { atMost: 1.2 },
    },
    run: async (options) => (await import('./soak-bench.mjs')).runSoak(options),
  },
  search: {
    measures:
      'searches of 1 M events of 20 tenants (10 M with --full): a day with three filters, a word of a week, a histogram of a week; each also as ratio to the same SQL sent straight to the engine',
    needsBuild: ['server'],
    limits: {
      filtered_p95_ms: { atMost: 300 },
      filtered_ratio: { atMost: 1.3 },
      text_p95_ms: { atMost: 1000 },
      text_ratio: { atMost: 1.3 },
      histogram_p95_ms: { atMost: 1500 },
      histogram_ratio: { atMost: 1.3 },
      stored_bytes_per_event: { atMost: 379 },
    },
    run: async (options) => (await import('./search-bench.mjs')).runSearch(options),
  },
  backtest: {
    measures:
      'events of a week per second that a policy is held against, simple policies, 2 M events (10 M with --full)',
    needsBuild: ['server'],
    limits: { backtest_events_per_s: { atLeast: 1_000_000 } },
    run: async (options) => (await import('./search-bench.mjs')).runBacktest(options),
  },
  'json-shapes': {
    measures:
      'the five questions of JSONBench about 10 M events of one tenant, each value read from the original fields, limits as PostgreSQL took for 7 M on 32 processors',
    needsBuild: ['server'],
    limits: {
      collections_p50_ms: { atMost: 949 },
      people_p50_ms: { atMost: 9556 },
      hours_p50_ms: { atMost: 2597 },
      first_posts_p50_ms: { atMost: 1931 },
      spans_p50_ms: { atMost: 2114 },
    },
    run: async (options) => (await import('./search-bench.mjs')).runJsonShapes(options),
  },
  'detect-latency': {
    measures: 'event accepted to case visible over the API, at 1,000 events/s and at half of the full rate',
    needsBuild: ['server', 'dashboard'],
    limits: {
      latency_p99_ms: { atMost: 1000 },
      half_rate_p50_ms: { atMost: 500 },
      half_rate_p99_ms: { atMost: 3000 },
    },
    run: async (options) => (await import('./server-benches.mjs')).runDetectLatency(options),
  },
  'alert-to-action': {
    measures:
      'events of an alert acknowledged to the call of its automation’s first action, at 1,000 events/s and at half of the full rate; one call for each alert',
    needsBuild: ['server'],
    limits: { action_p99_ms: { atMost: 2000 }, half_rate_action_p99_ms: { atMost: 2000 } },
    run: async (options) => (await import('./alert-bench.mjs')).runAlertToAction(options),
  },
  detect: {
    measures:
      'events held against 3,000 rules of published shapes per second on one thread, matches equal to a naive reading',
    needsBuild: ['server'],
    limits: {
      structured_per_s: { atLeast: 12_000 },
      raw_per_s: { atLeast: 30_000 },
      imported_share: { atLeast: 0.97 },
      load_s: { atMost: 2 },
      memory_mb: { atMost: 300 },
    },
    run: async (options) => (await import('./detect-bench.mjs')).runDetect(options),
  },
  engine: {
    measures:
      'five-step runs/s and overhead per step with audit and row-level security; others beside poisonous steps; 1,000 runs and 10,000 waits after a kill',
    needsBuild: ['server'],
    limits: {
      runs_per_s: { atLeast: 220 },
      sequential_ms_per_step: { atMost: 12 },
      start_p99_ms: { atMost: 50 },
      cancel_p99_ms: { atMost: 2000 },
      beside_poison_percent: { atLeast: 95 },
      resumed_first_s: { atMost: 5 },
      resumed_all_s: { atMost: 30 },
      late_p99_ms: { atMost: 1000 },
    },
    run: async (options) => (await import('./engine-bench.mjs')).runEngine(options),
  },
  'engine-alone': {
    measures: 'durable five-step runs per second and overhead per step of the engine without the product around it',
    needsBuild: ['server'],
    limits: { runs_per_s: { atLeast: 200 }, sequential_ms_per_step: { atMost: 12 } },
    run: runEngineAlone,
  },
  'engine-peer': {
    measures:
      'the same five-step runs, each step durable, by the engine alone, by graphile-worker and by DBOS, in turns on one PostgreSQL; and the ratios',
    needsBuild: ['server'],
    limits: {},
    run: async (options) => (await import('./engine-bench.mjs')).runEnginePeer(options),
  },
  expressions: {
    measures: 'what generated expressions take by the clock and of the heap, one by one',
    needsBuild: ['server'],
    limits: { longest_ms: { atMost: 50 }, most_heap_mb: { atMost: 8 } },
    run: async (options) => (await import('./engine-bench.mjs')).runExpressions(options),
  },
  list: {
    measures:
      'signed-in lists of 25 of 100,000 cases of 20 tenants, at 32 and 1 connections, and beside 2,000 invalid tokens/s',
    needsBuild: ['server'],
    limits: {
      list_per_s: { atLeast: 1200 },
      list_p99_ms: { atMost: 80 },
      one_connection_p50_ms: { atMost: 6 },
      flooded_to_calm: { atMost: 2 },
    },
    run: async (options) => (await import('./list-bench.mjs')).runList(options),
  },
  cases: {
    measures:
      'one person among 100,000 cases of a tenant: filtered lists with facets, opening and changing a case, overview',
    needsBuild: ['server'],
    limits: {
      filtered_p95_ms: { atMost: 200 },
      facets_p95_ms: { atMost: 200 },
      opened_p95_ms: { atMost: 150 },
      changed_p95_ms: { atMost: 50 },
      overview_p95_ms: { atMost: 2000 },
    },
    run: async (options) => (await import('./cases-bench.mjs')).runCases(options),
  },
  reports: {
    measures:
      'home page, log and SOAR report of ninety days, the facts of an executive report and its finished file, from 1 M events (10 M with --full) and 100,000 cases of 20 tenants',
    needsBuild: ['server'],
    limits: {
      dashboard_p95_ms: { atMost: 2000 },
      log_report_p95_ms: { atMost: 2000 },
      soar_report_p95_ms: { atMost: 2000 },
      executive_facts_p95_ms: { atMost: 2000 },
    },
    run: async (options) => (await import('./report-bench.mjs')).runReports(options),
  },
  polling: {
    measures: '500 open dashboards of 100 tenants that hold their live stream and poll as the dashboard does',
    needsBuild: ['server'],
    limits: { core_share: { atMost: 50 }, polling_p99_ms: { atMost: 100 } },
    run: async (options) => (await import('./polling-bench.mjs')).runPolling(options),
  },
  actions: {
    measures:
      'call to start an action until its own call, lists of 1,000 actions and 100,000 runs, and 200 polled connectors',
    needsBuild: ['server'],
    limits: {
      catalogue_p95_ms: { atMost: 200 },
      activity_p95_ms: { atMost: 200 },
      start_p99_ms: { atMost: 50 },
      polling_adds_percent: { atMost: 10 },
    },
    run: async (options) => (await import('./actions-bench.mjs')).runActions(options),
  },
  mixed: {
    measures:
      'lists, events and five-step runs at once, each at half the pace it must reach alone: how late the event loop of the server is, and each one’s p99',
    needsBuild: ['server'],
    limits: { loop_p99_ms: { atMost: 60 } },
    run: async (options) => (await import('./mixed-bench.mjs')).runMixed(options),
  },
  noisy: {
    measures:
      'lists, searches and starts of runs of ten tenants, in a process of their own, in turns alone and beside one tenant that calls at 20 times its quota: p50, p99 and how many times as long; and how long their runs of three steps take',
    needsBuild: ['server'],
    limits: {
      others_list_ratio: { atMost: 1.5 },
      others_search_ratio: { atMost: 1.5 },
      others_start_ratio: { atMost: 1.5 },
      run_p99_ms: { atMost: 1000 },
    },
    run: async (options) => (await import('./noisy-bench.mjs')).runNoisy(options),
  },
  'foreign-ids': {
    measures:
      'whether the time of an answer tells another tenant’s id from one that does not exist: six routes, 200 pairs each (2,000 with --full), the medians most apart',
    needsBuild: ['server'],
    limits: { most_apart_ms: { atMost: 5 } },
    run: async (options) => (await import('./foreign-ids-bench.mjs')).runForeignIds(options),
  },
  egress: {
    measures: 'milliseconds the guard adds to an outgoing call, on kept and on new connections',
    needsBuild: ['server'],
    limits: { kept_added_p50_ms: { atMost: 1 }, fresh_added_p50_ms: { atMost: 1 } },
    run: runEgress,
  },
  ui: {
    measures:
      'the dashboard in Chromium: Lighthouse as on a desktop and as on a phone, warm navigation, heap after 200 navigations, interactions on a processor slowed down four times',
    needsBuild: ['server', 'dashboard'],
    limits: {
      ...pageLimits('login'),
      ...pageLimits('home'),
      ...pageLimits('cases'),
      ...pageLimits('search'),
      warm_navigation_p95: { atMost: 150 },
      heap_growth: { atMost: 15 },
      inp_worst: { atMost: 200 },
    },
    run: async (options) => (await import('./ui-bench.mjs')).runUiBench(options),
  },
  restore: {
    measures:
      'a backup of 300,000 events (2.5 M with --full) while more come in, and putting it back into an empty folder, everything compared',
    needsBuild: ['server', 'dashboard'],
    limits: { restore_s_per_gb: { atMost: 60 } },
    run: async (options) => (await import('./restore-bench.mjs')).runRestore(options),
  },
  bundle: {
    measures: 'gzip JavaScript of a first visit to /login and /home',
    needsBuild: ['dashboard'],
    limits: bundleLimits,
    run: async () => (await import('./bundle-bench.mjs')).runBundleBench(),
  },
};

function pageLimits(page) {
  return {
    [`${page}_lcp`]: { atMost: 1200 },
    [`${page}_tbt`]: { atMost: 150 },
    [`${page}_cls`]: { atMost: 0.05 },
    [`${page}_score`]: { atLeast: 93 },
    [`${page}_mobile_lcp`]: { atMost: 2500 },
    [`${page}_mobile_tbt`]: { atMost: 300 },
    [`${page}_mobile_cls`]: { atMost: 0.1 },
  };
}

const engineUnits = {
  runs_per_s: 'runs/s',
  steps_per_s: 'steps/s',
  sequential_ms_per_step: 'ms',
  start_latency_p50_ms: 'ms',
  start_latency_p99_ms: 'ms',
};

async function runEngineAlone({ full }) {
  const { importSource, withEmbeddedPostgres } = await import('./sources.mjs');
  const { runEngineBench } = await importSource('packages/engine/bench/engine-bench.ts');
  const rounds = await withEmbeddedPostgres(async (databaseUrl) => {
    const results = [];
    for (let round = 0; round < (full ? 5 : 3); round++) {
      results.push(await runEngineBench({ databaseUrl, runs: full ? 5000 : 2000 }));
    }
    return results;
  });
  return figuresOf(rounds, engineUnits);
}

const egressUnits = {
  kept_plain_p50_ms: 'ms',
  kept_guarded_p50_ms: 'ms',
  kept_added_p50_ms: 'ms',
  fresh_plain_p50_ms: 'ms',
  fresh_guarded_p50_ms: 'ms',
  fresh_added_p50_ms: 'ms',
};

async function runEgress({ full }) {
  const { importSource } = await import('./sources.mjs');
  const { runEgressBench } = await importSource('packages/connector-kit/bench/egress-bench.ts');
  const rounds = [];
  for (let round = 0; round < (full ? 5 : 3); round++) {
    rounds.push(await runEgressBench({ calls: full ? 10_000 : 2000 }));
  }
  return figuresOf(rounds, egressUnits);
}

/** One figure for each unit from results of several rounds. */
export function figuresOf(rounds, units) {
  return Object.fromEntries(
    Object.entries(units).map(([name, unit]) => [
      name,
      metricOf(
        rounds.map((round) => round[name]),
        unit,
      ),
    ]),
  );
}
