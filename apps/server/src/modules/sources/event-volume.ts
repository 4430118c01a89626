import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export const HOUR_MS = 3_600_000;

/** What one written batch adds to the counters. */
export type VolumeAddition = {
  tenantId: string;
  sourceId: string;
  receivedAt: number;
  /** Times of the events and bytes of their texts, by the start of the hour they happened in. */
  byHour: ReadonlyMap<number, { events: number; bytes: number }>;
  /** Records of the delivery that were refused. */
  rejected?: number;
  /** Left out where every time was plausible. */
  clock?: ClockSkew;
};

/** Events with a time far from when they came; the milliseconds are sums, so that they can be added up. */
export type ClockSkew = {
  ahead: number;
  aheadMs: number;
  behind: number;
  /** Negative. */
  behindMs: number;
  /** With a time nobody can believe, in place of which they got that of their receipt. */
  unbelievable: number;
};

export type EventVolume = {
  /** In the system transaction that finishes the batches, so that no event is counted twice or never. */
  add(tx: Tx, additions: readonly VolumeAddition[]): Promise<void>;
  /**
   * Totals and history of one tenant by event time, oldest bucket first. Counted is by the hour: of an hour that lies in the
   * period in part, the part is taken, so periods that follow one another have together what one over both has. Of the hour that
   * goes on, the part of what is over of it.
   */
  read(tx: Tx, scope: TenantScope, period: VolumePeriod): Promise<VolumeRead>;
};

/** The history has `buckets` parts of `bucketMs` from the start on. */
export type VolumePeriod = { start: Date; end: Date; buckets: number; bucketMs: number; now: Date };

export type VolumeRead = { events: number; bytes: number; history: { t: string; count: number }[] };

export const eventVolume: EventVolume = {
  async add(tx, additions) {
    if (additions.length === 0) return;
    await addEventHours(tx, additions);
    await addArrivals(tx, additions);
  },
  async read(tx, scope, { start, end, buckets, bucketMs, now }) {
    const firstHour = new Date(Math.floor(start.getTime() / HOUR_MS) * HOUR_MS);
    const { rows } = await sql<{ bucket: number; events: number; bytes: number }>`
      select least(greatest(floor(extract(epoch from hour - ${start}::timestamptz) * 1000 / ${bucketMs}::float8), 0), ${buckets - 1}::int)::int as bucket,
        round(sum(events * share))::bigint as events, round(sum(bytes * share))::bigint as bytes
      from source_event_hour
      cross join lateral (select
        extract(epoch from least(hour + interval '1 hour', ${end}) - greatest(hour, ${start})) as inside,
        case when ${now}::timestamptz >= hour and ${now}::timestamptz < hour + interval '1 hour'
          then greatest(extract(epoch from ${now}::timestamptz - hour), 0.001) else 3600 end as whole) parts
      cross join lateral (select least(inside / whole, 1) as share) part
      where tenant_id = ${scope.tenantId} and hour >= ${firstHour} and hour < ${end}
      group by 1`.execute(tx);
    const counts = new Map(rows.map((row) => [row.bucket, row.events]));
    return {
      events: rows.reduce((sum, row) => sum + row.events, 0),
      bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
      history: Array.from({ length: buckets }, (_, index) => ({
        t: new Date(start.getTime() + index * bucketMs).toISOString(),
        count: counts.get(index) ?? 0,
      })),
    };
  },
};

/** Sorted as the rows are locked, so that two writers cannot wait for each other. */
async function addEventHours(tx: Tx, additions: readonly VolumeAddition[]): Promise<void> {
  const rows = [...merged(additions).values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  await sql`
    insert into source_event_hour as h (tenant_id, source_id, hour, events, bytes)
    select * from unnest(${rows.map((r) => r.tenantId)}::uuid[], ${rows.map((r) => r.sourceId)}::uuid[],
      ${rows.map((r) => new Date(r.hour))}::timestamptz[], ${rows.map((r) => r.events)}::bigint[], ${rows.map((r) => r.bytes)}::bigint[])
    on conflict (tenant_id, hour, source_id) do update set events = h.events + excluded.events, bytes = h.bytes + excluded.bytes`.execute(
    tx,
  );
}

type HourRow = { key: string; tenantId: string; sourceId: string; hour: number; events: number; bytes: number };

function merged(additions: readonly VolumeAddition[]): Map<string, HourRow> {
  const rows = new Map<string, HourRow>();
  for (const { tenantId, sourceId, byHour } of additions) {
    for (const [hour, { events, bytes }] of byHour) {
      const key = `${sourceId} ${hour}`;
      const row = rows.get(key) ?? { key, tenantId, sourceId, hour, events: 0, bytes: 0 };
      row.events += events;
      row.bytes += bytes;
      rows.set(key, row);
    }
  }
  return rows;
}

type ArrivalRow = {
  tenantId: string;
  sourceId: string;
  hour: number;
  events: number;
  last: number;
  rejected: number;
  clock: ClockSkew;
};

const plausible: ClockSkew = { ahead: 0, aheadMs: 0, behind: 0, behindMs: 0, unbelievable: 0 };

async function addArrivals(tx: Tx, additions: readonly VolumeAddition[]): Promise<void> {
  const rows = new Map<string, ArrivalRow>();
  for (const { tenantId, sourceId, receivedAt, byHour, rejected = 0, clock = plausible } of additions) {
    const hour = Math.floor(receivedAt / HOUR_MS) * HOUR_MS;
    const key = `${sourceId} ${hour}`;
    const row = rows.get(key) ?? { tenantId, sourceId, hour, events: 0, last: 0, rejected: 0, clock: plausible };
    for (const { events } of byHour.values()) row.events += events;
    row.last = Math.max(row.last, receivedAt);
    row.rejected += rejected;
    row.clock = sumOf(row.clock, clock);
    rows.set(key, row);
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  await sql`
    insert into source_arrival_hour as h (tenant_id, source_id, hour, events, last_event_at, rejected,
      ahead, ahead_ms, behind, behind_ms, unbelievable)
    select * from unnest(${sorted.map((r) => r.tenantId)}::uuid[], ${sorted.map((r) => r.sourceId)}::uuid[],
      ${sorted.map((r) => new Date(r.hour))}::timestamptz[], ${sorted.map((r) => r.events)}::bigint[],
      ${sorted.map((r) => new Date(r.last))}::timestamptz[], ${sorted.map((r) => r.rejected)}::bigint[],
      ${sorted.map((r) => r.clock.ahead)}::bigint[], ${sorted.map((r) => r.clock.aheadMs)}::bigint[],
      ${sorted.map((r) => r.clock.behind)}::bigint[], ${sorted.map((r) => r.clock.behindMs)}::bigint[],
      ${sorted.map((r) => r.clock.unbelievable)}::bigint[])
    on conflict (source_id, hour) do update
      set events = h.events + excluded.events, last_event_at = greatest(h.last_event_at, excluded.last_event_at),
        rejected = h.rejected + excluded.rejected, ahead = h.ahead + excluded.ahead, ahead_ms = h.ahead_ms + excluded.ahead_ms,
        behind = h.behind + excluded.behind, behind_ms = h.behind_ms + excluded.behind_ms,
        unbelievable = h.unbelievable + excluded.unbelievable`.execute(tx);
}

function sumOf(one: ClockSkew, other: ClockSkew): ClockSkew {
  return {
    ahead: one.ahead + other.ahead,
    aheadMs: one.aheadMs + other.aheadMs,
    behind: one.behind + other.behind,
    behindMs: one.behindMs + other.behindMs,
    unbelievable: one.unbelievable + other.unbelievable,
  };
}
