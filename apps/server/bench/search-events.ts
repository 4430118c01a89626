/** Events for measuring searches: made by the store itself, every value a function of the event's number. */
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { createEventsStore, type EventsStore } from '../src/storage/events-store.ts';

export const BENCH_TENANTS = 20;
const CHUNK = 250_000;
const DAY_MS = 86_400_000;
export const BENCH_DAYS = 7;

export function benchTenant(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

export const benchTenants = Array.from({ length: BENCH_TENANTS }, (_, index) => benchTenant(index));

export type BenchConnection = { url: string; user: string; password: string };

/** The store as the product opens it, prepared, and beside it a client that knows no tenant. */
export async function openBenchEvents(
  connection: BenchConnection,
): Promise<{ store: EventsStore; direct: ClickHouseClient; close(): Promise<void> }> {
  const { url, user: username, password } = connection;
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: console.error };
  const store = createEventsStore({ ...connection, log });
  const direct = createClient({
    ...{ url, username, password, database: 'airdeck', request_timeout: 600_000 },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const close = async () => {
    await Promise.all([direct.close(), store.close()]);
  };
  try {
    await store.prepare();
  } catch (error) {
    await close();
    throw error;
  }
  return { store, direct, close };
}

/** On the disk, indexes in. */
export async function storedBytesPerEvent(store: EventsStore): Promise<number> {
  const { bytes, events } = await store.figures();
  return bytes / events;
}

type Fill = { count: number; end: number; tenants?: readonly string[]; days?: number };

/** Fills the table with `count` events, evenly over the last days and over the tenants, in the order they would arrive. */
export async function fillBenchEvents(
  client: ClickHouseClient,
  { count, end, tenants = benchTenants, days = BENCH_DAYS }: Fill,
) {
  const spread = days * DAY_MS;
  for (let first = 0; first < count; first += CHUNK) {
    const rows = Math.min(CHUNK, count - first);
    const params = { first, rows, start: end - spread, spread, count, tenants };
    await client.command({ query: FILL, query_params: params, clickhouse_settings: { max_insert_threads: '2' } });
  }
  // The state a store is in when nothing new has come for a while.
  await client.command({ query: 'optimize table events', clickhouse_settings: { alter_sync: '2' } });
}

const FILL = `
insert into events with {first:UInt64} + number as n, cityHash64(n) as h,
  concat('request ', toString(h % 1000), ' of user', toString(intDiv(h, 7) % 500), ' handled in ', toString(intDiv(h, 11) % 900),
    ' ms by worker', toString(intDiv(h, 13) % 64), if(n % 50021 = 0, ' needle', '')) as line
select
  {tenants:Array(UUID)}[1 + n % length({tenants:Array(UUID)})] as tenant,
  toUUID('00000000-0000-4000-8000-0000000000f1') as source,
  toUUID('00000000-0000-4000-8000-0000000000f2') as batch,
  reinterpretAsUUID(concat(reinterpretAsString(h), reinterpretAsString(n))) as id,
  ['sshd', 'okta', 'fortigate', 'windows', 'nginx'][1 + intDiv(h, 3) % 5] as integration,
  ['authentication', 'traffic', 'log'][1 + intDiv(h, 5) % 3] as event_type,
  fromUnixTimestamp64Milli(toInt64({start:Int64} + intDiv(n * {spread:UInt64}, {count:UInt64})), 'UTC') as time,
  time as received_at,
  ['low', 'medium', 'high', ''][1 + intDiv(h, 17) % 4] as severity,
  'request' as action,
  if(h % 20 = 0, 'failure', 'success') as outcome,
  '' as connector_id,
  concat('app-', toString(intDiv(h, 19) % 40)) as host,
  concat('user', toString(intDiv(h, 7) % 500)) as user,
  concat('198.51.100.', toString(intDiv(h, 23) % 254)) as src_ip,
  concat('192.0.2.', toString(intDiv(h, 29) % 254)) as dst_ip,
  line as message,
  concat('<134>1 app request_id=', hex(h), ' path=/api/items/', toString(intDiv(h, 31) % 99999), ' status=200 ', line) as raw,
  concat('{"status":', toString([200, 204, 304, 404, 500][1 + intDiv(h, 37) % 5]), ',"request_id":"', hex(h),
    '","path":"/api/items/', toString(intDiv(h, 31) % 99999), '"}')::JSON(max_dynamic_paths = 256) as fields,
  toUInt16(90) as retention_days,
  received_at as stored_at
from numbers({rows:UInt64})`;
