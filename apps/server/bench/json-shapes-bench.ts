/**
 * The questions of JSONBench (github.com/ClickHouse/JSONBench) about as many events as there, all of one tenant: every value is
 * read from the original fields, as the product reads a field it has no column for, behind the fence every tenant's statement
 * runs behind. The events are made up, with the fields and sizes of the posts that benchmark asks about.
 */
import { strict as assert } from 'node:assert';
import { pathText } from '@airdeck/query-language/sql-parts';
import type { ClickHouseClient } from '@clickhouse/client';
import type { EventsStore } from '../src/storage/events-store.ts';
import { percentile } from './bench-load.ts';
import { type BenchConnection, benchTenant, openBenchEvents, storedBytesPerEvent } from './search-events.ts';

const DAY_MS = 86_400_000;
const CHUNK = 250_000;
/** Of a thousand and nine events: up to where each collection goes. */
const COLLECTIONS = [
  { name: 'app.bsky.feed.like', below: 454 },
  { name: 'app.bsky.graph.follow', below: 757 },
  { name: 'app.bsky.feed.post', below: 858 },
  { name: 'app.bsky.feed.repost', below: 939 },
  { name: 'app.bsky.graph.block', below: 980 },
  { name: 'app.bsky.graph.listitem', below: 1000 },
  { name: 'app.bsky.actor.profile', below: 1009 },
] as const;
const POST = 'app.bsky.feed.post';
const HOURLY = [POST, 'app.bsky.feed.repost', 'app.bsky.feed.like'];
const OFTEN = 5003;
const RARE = 900_001;
const PEOPLE = 10_000 + RARE;

const kind = pathText(['kind']);
const operation = pathText(['commit', 'operation']);
const collection = pathText(['commit', 'collection']);
const did = pathText(['did']);
const created = `${kind} = 'commit' and ${operation} = 'create'`;

const questions = {
  collections: `select ${collection} as event, count() as events from events group by event order by events desc`,
  people: `select ${collection} as event, count() as events, uniqExact(${did}) as people from events
    where ${created} group by event order by events desc`,
  hours: `select ${collection} as event, toHour(time) as hour, count() as events from events
    where ${created} and ${collection} in (${HOURLY.map((name) => `'${name}'`).join()})
    group by event, hour order by hour, event`,
  first_posts: `select ${did} as person, toUnixTimestamp64Milli(min(time)) as first from events
    where ${created} and ${collection} = '${POST}' group by person order by first limit 3`,
  spans: `select ${did} as person, dateDiff('millisecond', min(time), max(time)) as span from events
    where ${created} and ${collection} = '${POST}' group by person order by span desc, person limit 3`,
} as const;
type Question = keyof typeof questions;

export type JsonShapesResult = Record<`${Question}_p50_ms`, number> & {
  stored_bytes_per_event: number;
  events: number;
};

/** Fills the store, which must be empty, and asks each question so many times. Throws when an answer is not what was put in. */
export async function runJsonShapesBench({
  connection,
  events,
  rounds,
}: {
  connection: BenchConnection;
  events: number;
  rounds: number;
}): Promise<JsonShapesResult> {
  const { store, direct, close } = await openBenchEvents(connection);
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
  try {
    await fill(direct, { events, start });
    const expected = answersTo({ events, start });
    const figures: Record<string, number> = {};
    for (const name of Object.keys(questions) as Question[]) {
      const times: number[] = [];
      // The first two warm up.
      for (let round = -2; round < rounds; round++) {
        const begun = performance.now();
        const answer = await store.query<object>({ tenant: benchTenant(0), sql: questions[name] });
        if (round >= 0) times.push(performance.now() - begun);
        assert.deepEqual(answer, expected[name], `${name} is answered with what was put in`);
      }
      figures[`${name}_p50_ms`] = percentile(times, 0.5);
    }
    await assertFenced(store);
    const stored_bytes_per_event = await storedBytesPerEvent(store);
    return { ...figures, stored_bytes_per_event, events } as JsonShapesResult;
  } finally {
    await close();
  }
}

type Filled = { events: number; start: number };

/** Evenly over a day, in the order they would arrive. */
async function fill(client: ClickHouseClient, { events, start }: Filled): Promise<void> {
  for (let first = 0; first < events; first += CHUNK) {
    const params = { first, rows: Math.min(CHUNK, events - first), events, start, tenant: benchTenant(0) };
    await client.command({ query: FILL, query_params: params, clickhouse_settings: { max_insert_threads: '2' } });
  }
  await client.command({ query: 'optimize table events', clickhouse_settings: { alter_sync: '2' } });
}

const FILL = `
insert into events with {first:UInt64} + number as n, cityHash64(n) as h,
  if(n % 10 < 3, n * 48271 % ${OFTEN}, 10000 + n * 48271 % ${RARE}) as person,
  n * 31 % 1009 as c,
  multiIf(${COLLECTIONS.map(({ name, below }) => `c < ${below}, '${name}'`).join()}, '') as name,
  fromUnixTimestamp64Milli(toInt64({start:UInt64} + intDiv(n * ${DAY_MS}, {events:UInt64})), 'UTC') as at,
  concat('did:plc:', leftPad(toString(person), 24, '0')) as who,
  hex(h) as token,
  concat('{"createdAt":"', toString(at), 'Z","$type":"', name, '",',
    if(name = '${POST}', concat('"langs":["en"],"text":"', repeat(concat(token, ' '), 1 + h % 9), '"}'),
      concat('"subject":{"cid":"bafyrei', token, token, token, '","uri":"at://did:plc:', token, '/', name, '/', token, '"}}'))) as record,
  concat('{"did":"', who, '","time_us":', toString(toUnixTimestamp64Milli(at) * 1000), ',"kind":"',
    multiIf(n % 100 = 0, 'identity', n % 100 = 1, 'account', 'commit'), '"',
    if(n % 100 < 2, '', concat(',"commit":{"rev":"', token, '","rkey":"', token, '","operation":"',
      if(n % 20 = 3, 'delete', 'create'), '","collection":"', name, '","cid":"bafyrei', token, token, token, '","record":', record, '}')),
    '}') as line
select
  {tenant:UUID} as tenant,
  toUUID('00000000-0000-4000-8000-0000000000f1') as source,
  toUUID('00000000-0000-4000-8000-0000000000f2') as batch,
  reinterpretAsUUID(concat(reinterpretAsString(h), reinterpretAsString(n))) as id,
  'ndjson' as integration, '' as event_type, at as time, at as received_at, '' as severity, '' as action, '' as outcome,
  '' as connector_id, '' as host, '' as user, '' as src_ip, '' as dst_ip, '' as message, line as raw,
  line::JSON(max_dynamic_paths = 256) as fields, toUInt16(90) as retention_days, at as stored_at
from numbers({rows:UInt64})`;

/** What the questions have to be answered with, counted one event after the other by the numbers they were made from. */
function answersTo({ events, start }: Filled): Record<Question, object[]> {
  const all = new Map<string | null, number>();
  const made = new Map(COLLECTIONS.map(({ name }) => [name as string, { events: 0, people: new Uint8Array(PEOPLE) }]));
  const hours = new Map<string, number>();
  const first = new Float64Array(PEOPLE).fill(-1);
  const last = new Float64Array(PEOPLE);
  for (let n = 0; n < events; n++) {
    const person = n % 10 < 3 ? (n * 48_271) % OFTEN : 10_000 + ((n * 48_271) % RARE);
    const c = (n * 31) % 1009;
    const name = n % 100 < 2 ? null : (COLLECTIONS.find(({ below }) => c < below)?.name ?? null);
    all.set(name, (all.get(name) ?? 0) + 1);
    if (name === null || n % 20 === 3) continue;
    const time = start + Math.floor((n * DAY_MS) / events);
    const seen = made.get(name) as { events: number; people: Uint8Array };
    seen.events += 1;
    seen.people[person] = 1;
    if (HOURLY.includes(name)) {
      const key = `${String(new Date(time).getUTCHours()).padStart(2, '0')} ${name}`;
      hours.set(key, (hours.get(key) ?? 0) + 1);
    }
    if (name !== POST) continue;
    if (first[person] === -1) first[person] = time;
    last[person] = time;
  }
  const posters = Array.from(first.keys()).filter((person) => first[person] !== -1);
  const spanOf = (person: number) => (last[person] as number) - (first[person] as number);
  const byFirst = posters.toSorted((a, b) => (first[a] as number) - (first[b] as number)).slice(0, 3);
  const bySpan = posters.toSorted((a, b) => spanOf(b) - spanOf(a) || a - b).slice(0, 3);
  return {
    collections: [...all].map(([event, count]) => ({ event, events: count })).toSorted((a, b) => b.events - a.events),
    people: [...made]
      .map(([event, seen]) => ({ event, events: seen.events, people: seen.people.reduce((sum, one) => sum + one, 0) }))
      .toSorted((a, b) => b.events - a.events),
    hours: [...hours]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, count]) => ({ event: key.slice(3), hour: Number(key.slice(0, 2)), events: count })),
    first_posts: byFirst.map((person) => ({ person: nameOf(person), first: first[person] })),
    spans: bySpan.map((person) => ({ person: nameOf(person), span: spanOf(person) })),
  };
}

function nameOf(person: number): string {
  return `did:plc:${String(person).padStart(24, '0')}`;
}

/** Otherwise the figures would be those of statements without the fence. */
async function assertFenced(store: EventsStore): Promise<void> {
  const seen = await store.query<object>({ tenant: benchTenant(1), sql: questions.collections });
  assert.deepEqual(seen, [], 'another tenant sees none of the events');
}
