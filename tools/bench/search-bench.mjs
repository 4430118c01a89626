import { figuresOf } from './registry.mjs';
import { makeDataDir } from './running-server.mjs';
import { importSource } from './sources.mjs';

const units = {
  events: 'events',
  filtered_p50_ms: 'ms',
  filtered_p95_ms: 'ms',
  filtered_ratio: 'x',
  text_p50_ms: 'ms',
  text_p95_ms: 'ms',
  text_ratio: 'x',
  histogram_p50_ms: 'ms',
  histogram_p95_ms: 'ms',
  histogram_ratio: 'x',
  stored_bytes_per_event: 'bytes',
};

const backtestUnits = { events: 'events', backtest_events_per_s: 'events/s', backtest_p95_ms: 'ms' };

/** Searches of an event store of its own, the embedded one as the product starts it. */
export async function runSearch({ full }) {
  const { runSearchBench } = await importSource('apps/server/bench/search-bench.ts');
  const size = { events: full ? 10_000_000 : 1_000_000, rounds: full ? 100 : 40 };
  return await withEvents(async (connection) => figuresOf([await runSearchBench({ connection, ...size })], units));
}

export async function runBacktest({ full }) {
  const { runBacktestBench } = await importSource('apps/server/bench/backtest-bench.ts');
  const size = { events: full ? 10_000_000 : 2_000_000, rounds: full ? 20 : 5 };
  return await withEvents(async (connection) =>
    figuresOf([await runBacktestBench({ connection, ...size })], backtestUnits),
  );
}

const shapeUnits = {
  events: 'events',
  collections_p50_ms: 'ms',
  people_p50_ms: 'ms',
  hours_p50_ms: 'ms',
  first_posts_p50_ms: 'ms',
  spans_p50_ms: 'ms',
  stored_bytes_per_event: 'bytes',
};

export async function runJsonShapes({ full }) {
  const { runJsonShapesBench } = await importSource('apps/server/bench/json-shapes-bench.ts');
  const size = { events: 10_000_000, rounds: full ? 20 : 5 };
  return await withEvents(async (connection) =>
    figuresOf([await runJsonShapesBench({ connection, ...size })], shapeUnits),
  );
}

async function withEvents(run) {
  const { startEmbeddedEvents } = await importSource('apps/server/src/storage/embedded-events.ts');
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: console.error, error: console.error };
  const dataDir = makeDataDir();
  try {
    const connection = await startEmbeddedEvents({ dataDir: dataDir.path, log });
    try {
      return await run(connection);
    } finally {
      await connection.stop();
    }
  } finally {
    dataDir.remove();
  }
}
