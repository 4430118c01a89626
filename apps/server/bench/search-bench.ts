/**
 * Searches as the server answers them, without HTTP, against the same statements sent straight to the engine by a client that
 * knows no tenant: what everything in between costs. What is found is compared with plain counts over the same events.
 */
import { strict as assert } from 'node:assert';
import { type SearchBody, searchBodySchema } from '@airdeck/contracts/search/schema';
import type { ClickHouseClient } from '@clickhouse/client';
import { selectEvents } from '../src/modules/search/event-selection.ts';
import { noLiveSources } from '../src/modules/search/live-sources.ts';
import { createSearchService, type SearchService } from '../src/modules/search/search-service.ts';
import { createSearchSlots } from '../src/modules/search/search-slots.ts';
import { EVENT_COLUMNS } from '../src/modules/search/search-store.ts';
import { trustedTenantScope } from '../src/tenant-scope.ts';
import {
  BENCH_DAYS,
  BENCH_TENANTS,
  type BenchConnection,
  benchTenant,
  fillBenchEvents,
  openBenchEvents,
  storedBytesPerEvent,
} from './search-events.ts';

const DAY_MS = 86_400_000;

/** One kind of search, varied by tenant; `where` says what it has to find, in plain SQL over the bench's events. */
type Kind = { days: number; body: (index: number) => object; where: (index: number) => string };

const kinds = {
  filtered: {
    days: 1,
    body: (index) => ({
      filters: [
        { field: 'outcome', op: 'is', value: 'failure' },
        { field: 'host', op: 'is', value: `app-${index % 40}` },
        { field: 'status', op: 'one_of', value: [404, 500] },
      ],
    }),
    where: (index) => `outcome = 'failure' and host = 'app-${index % 40}' and fields.status::Int64 in (404, 500)`,
  },
  text: {
    days: BENCH_DAYS,
    body: () => ({ query: 'NEEDLE' }),
    where: () => "position(message, 'needle') > 0",
  },
  histogram: { days: BENCH_DAYS, body: () => ({ limit: 1 }), where: () => '1' },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

export type SearchBenchResult = Record<`${KindName}_p50_ms` | `${KindName}_p95_ms` | `${KindName}_ratio`, number> & {
  stored_bytes_per_event: number;
  events: number;
};

/** Fills the store, which must be empty, and measures `rounds` searches of each kind. Throws when one finds something else. */
export async function runSearchBench({
  connection,
  events,
  rounds,
}: {
  connection: BenchConnection;
  events: number;
  rounds: number;
}): Promise<SearchBenchResult> {
  const { store, direct, close } = await openBenchEvents(connection);
  const end = Math.floor(Date.now() / 1_000) * 1_000;
  try {
    await fillBenchEvents(direct, { count: events, end });
    const service = createSearchService({
      events: store,
      slots: createSearchSlots(() => false),
      live: noLiveSources,
      searchLengthDays: async () => 365,
      now: () => new Date(),
    });
    const figures: Record<string, number> = {};
    for (const name of Object.keys(kinds) as KindName[]) {
      Object.assign(figures, await measure({ service, direct, end, rounds }, name, kinds[name]));
    }
    const stored = { stored_bytes_per_event: await storedBytesPerEvent(store), events };
    return { ...figures, ...stored } as SearchBenchResult;
  } finally {
    await close();
  }
}

type Stand = { service: SearchService; direct: ClickHouseClient; end: number; rounds: number };

async function measure(stand: Stand, name: KindName, kind: Kind): Promise<Record<string, number>> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let index = -2; index < stand.rounds; index++) {
    const tenant = benchTenant((index + BENCH_TENANTS) % BENCH_TENANTS);
    const range = { from: stand.end - kind.days * DAY_MS, until: stand.end };
    const body = searchBodySchema.parse({ time_range: rangeText(range), ...kind.body(index + 40) });
    const { condition, params } = selectEvents(body, { now: stand.end });
    const statement = { tenant, limit: body.limit, ...range };
    // In turn, so that what else the machine does meets both.
    const mine = await timed(() => search(stand.service, tenant, body));
    const same = await timed(() => askDirectly(stand.direct, { ...statement, where: condition, params }));
    const plain = await askDirectly(stand.direct, { ...statement, where: kind.where(index + 40), params: {} });
    assert.deepEqual(mine.value, plain, `${name} finds what is there`);
    assert.deepEqual(same.value, plain, `${name} sent straight to the engine finds it too`);
    // The first ones warm both up.
    if (index < 0) continue;
    ours.push(mine.ms);
    theirs.push(same.ms);
  }
  return {
    [`${name}_p50_ms`]: quantile(ours, 0.5),
    [`${name}_p95_ms`]: quantile(ours, 0.95),
    [`${name}_ratio`]: quantile(ours, 0.5) / quantile(theirs, 0.5),
  };
}

function rangeText({ from, until }: { from: number; until: number }) {
  return { start: new Date(from).toISOString(), end: new Date(until).toISOString() };
}

type Statement = {
  tenant: string;
  where: string;
  params: Readonly<Record<string, unknown>>;
  from: number;
  until: number;
  limit: number;
};
type Finding = { total: number; newest: string[] };

async function search(service: SearchService, tenant: string, body: SearchBody): Promise<Finding> {
  const asked = { scope: trustedTenantScope(tenant), signal: new AbortController().signal };
  const { events, total, partial } = await service.run(asked, body);
  assert.equal(partial, false);
  return { total: total.value, newest: events.map(({ id }) => id) };
}

/** The same two statements: the newest events with all their columns, and the histogram. */
async function askDirectly(
  client: ClickHouseClient,
  { tenant, where, params, from, until, limit }: Statement,
): Promise<Finding> {
  const condition = `tenant = {tenant:UUID} and time >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
    and time < fromUnixTimestamp64Milli({until:Int64}, 'UTC') and (${where})`;
  const query_params = { ...params, tenant, from, until };
  const format = 'JSONEachRow';
  const rows = client.query({
    query: `select ${EVENT_COLUMNS} from events where ${condition} order by time desc, id desc limit ${limit}`,
    ...{ query_params, format },
  });
  const counts = client.query({
    query: `select intDiv(toUnixTimestamp64Milli(time), 3600000) as bucket, count() as events from events
      where ${condition} group by bucket order by bucket`,
    ...{ query_params, format },
  });
  const [found, buckets] = await Promise.all([
    rows.then((answer) => answer.json<{ e_id: string }>()),
    counts.then((answer) => answer.json<{ events: number }>()),
  ]);
  return { total: buckets.reduce((sum, { events }) => sum + events, 0), newest: found.map(({ e_id }) => e_id) };
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begun };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
