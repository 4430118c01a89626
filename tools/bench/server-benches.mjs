import { join } from 'node:path';
import { figuresOf } from './registry.mjs';
import { makeDataDir, startServer } from './running-server.mjs';
import { importSource } from './sources.mjs';

const ingestUnits = { events_per_s: 'events/s', ack_p50_ms: 'ms', ack_p99_ms: 'ms' };
const manyPolicies = { policies: 'policies', many_policies_events_per_s: 'events/s', many_policies_ack_p99_ms: 'ms' };
const WARM_UP_ROUNDS = 6;
const RULES = 3000;
const SEED = 20_261_122;
const HALF_RATE = 7500;
const ADMIN = 'grace.lin@harbor-clinics.example';
const OTHER_ADMIN = 'marcus.bell@meridian-foods.example';
const latencyUnits = {
  latency_p50_ms: 'ms',
  latency_p99_ms: 'ms',
  cases: 'cases',
  background_per_s: 'events/s',
  half_rate_p50_ms: 'ms',
  half_rate_p99_ms: 'ms',
  half_rate_per_s: 'events/s',
};

/** First with the policies the demo has, then with 3,000 more of published shapes. */
export async function runIngest({ full }) {
  const { runIngestBench } = await importSource('apps/server/bench/ingest-bench.ts');
  const { createPolicies } = await importSource('apps/server/bench/bench-policies.ts');
  const rules = await publishedShapes();
  return await withServer(async (target) => {
    const inRounds = async () => {
      const results = [];
      for (let round = 0; round < (full ? 5 : 3); round++) {
        results.push(await runIngestBench({ ...target, events: full ? 300_000 : 120_000 }));
      }
      return results;
    };
    // The demo writes its past in the first minute, and nothing is compiled yet.
    for (let round = 0; round < WARM_UP_ROUNDS; round++) await runIngestBench({ ...target, events: 120_000 });
    const few = figuresOf(await inRounds(), ingestUnits);
    const policies = await createPolicies(target, rules);
    const many = (await inRounds()).map(({ events_per_s, ack_p99_ms }) => ({
      policies,
      many_policies_events_per_s: events_per_s,
      many_policies_ack_p99_ms: ack_p99_ms,
    }));
    return { ...few, ...figuresOf(many, manyPolicies) };
  });
}

async function publishedShapes() {
  const { createDraw, createVocabulary, sigmaShapedRules } = await importSource(
    'packages/detection/bench/sigma-shaped-rules.ts',
  );
  const draw = createDraw(SEED);
  return sigmaShapedRules(draw, createVocabulary(draw), RULES);
}

const overloadUnits = {
  overload_accepted_per_s: 'events/s',
  overload_refused: 'batches',
  overload_probe_p50_ms: 'ms',
  overload_probe_p99_ms: 'ms',
  overload_probed: 'batches',
  overload_refused_p50_ms: 'ms',
  overload_refused_p99_ms: 'ms',
  overload_first_p99_ms: 'ms',
};

/** On a server that has taken its share before. */
export async function runIngestOverload({ full }) {
  const { runIngestBench } = await importSource('apps/server/bench/ingest-bench.ts');
  const { runOverloadBench } = await importSource('apps/server/bench/overload-bench.ts');
  return await withServer(async (target) => {
    for (let round = 0; round < WARM_UP_ROUNDS; round++) await runIngestBench({ ...target, events: 120_000 });
    return figuresOf([await runOverloadBench({ ...target, seconds: full ? 60 : 10 })], overloadUnits);
  });
}

const noisyUnits = {
  alone_p50_ms: 'ms',
  alone_p99_ms: 'ms',
  beside_p50_ms: 'ms',
  beside_p99_ms: 'ms',
  beside_ratio: '',
  loud_taken_per_s: 'events/s',
  loud_refused_p99_ms: 'ms',
};
const QUOTA = 1000;

/** Two tenants on one server that allows each a thousand events a second. */
export async function runIngestNoisy({ full }) {
  const { runIngestBench } = await importSource('apps/server/bench/ingest-bench.ts');
  const { runNoisyBench } = await importSource('apps/server/bench/ingest-noisy-bench.ts');
  const run = async (quiet, server) => {
    const loud = await createSource(server, OTHER_ADMIN);
    const round = () => runNoisyBench({ quiet, loud, quota: QUOTA, seconds: full ? 60 : 15 });
    // The demo writes its past in the first minute, and nothing is compiled yet.
    await runIngestBench({ ...quiet, events: 5000 });
    await round();
    const results = [];
    for (let done = 0; done < 3; done++) {
      results.push(await round());
    }
    return figuresOf(results, noisyUnits);
  };
  return await withServer(run, { environment: { EVENTS_PER_S_MAX: String(QUOTA) } });
}

/** At an ordinary rate, then at half of what ingestion takes at most. */
export async function runDetectLatency({ full }) {
  const { runDetectLatencyBench } = await importSource('apps/server/bench/detect-latency-bench.ts');
  const seconds = full ? 60 : 20;
  return await withServer(async (target) => {
    const ordinary = await runDetectLatencyBench({ ...target, seconds });
    const half = await runDetectLatencyBench({ ...target, seconds, eventsPerS: HALF_RATE, addresses: 'second' });
    const {
      latency_p50_ms: half_rate_p50_ms,
      latency_p99_ms: half_rate_p99_ms,
      background_per_s: half_rate_per_s,
    } = half;
    return figuresOf([{ ...ordinary, half_rate_p50_ms, half_rate_p99_ms, half_rate_per_s }], latencyUnits);
  });
}

/**
 * A server as `npm start` runs it, with a new event source of a demo tenant. Its event store is the embedded one, but
 * started here and handed over by EVENTS_URL, so that what is stored can be counted by query and not by asking the server.
 * What is left below the server's process is the server itself and its PostgreSQL. `admin` is the tenant's Admin by email,
 * `environment` what the server is told besides.
 */
export async function withServer(run, { admin = ADMIN, environment = {} } = {}) {
  const { startEmbeddedEvents } = await importSource('apps/server/src/storage/embedded-events.ts');
  const { createEventsStore } = await importSource('apps/server/src/storage/events-store.ts');
  const dataDir = makeDataDir();
  const cleanups = [() => dataDir.remove()];
  try {
    const events = await startEmbeddedEvents({ dataDir: dataDir.path, log });
    cleanups.push(() => events.stop());
    const store = createEventsStore({ ...events, log });
    cleanups.push(() => store.close());
    const address = new URL(events.url);
    Object.assign(address, { username: events.user, password: events.password });
    const variables = { EVENTS_URL: address.href, LOG_LEVEL: 'warn', ...environment };
    const server = await startServer(join(dataDir.path, 'server'), variables);
    cleanups.push(() => server.stop());
    return await run(await newSource(server, store, admin), server);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

async function newSource(server, store, email) {
  const made = await createSource(server, email);
  const { tenant, source } = made;
  const countStored = async () => {
    const sql = 'select count() as stored from events where tenant = {tenant:UUID} and source = {source:UUID}';
    const [row] = await store.query({ tenant, sql, params: { source } });
    return Number(row.stored);
  };
  return { ...made, countStored };
}

/** A new event source of the tenant this Admin is at home in. */
export async function createSource({ url, demo }, email, name = 'Bench') {
  const admin = demo().users.find((user) => user.email === email);
  const tenant = admin.tenant;
  const answer = await fetch(`${url}/api/${tenant}/event/sources/new`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, kind: 'ndjson' }),
  });
  if (!answer.ok) throw new Error(`The source could not be made: ${answer.status} ${await answer.text()}`);
  const { id: source, token } = await answer.json();
  return { url, tenant, source, token, apiKey: admin.api_key };
}

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: console.error, error: console.error };
