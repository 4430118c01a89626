/**
 * Events in slices of bounded size, month by month, as JSON lines. (ClickHouse's Native format would be smaller, but the
 * embedded engine takes only text from outside.)
 *
 * Events go on coming in meanwhile. A slice holds what was received up to the last batch of the snapshot, without batches
 * noted after it: those that were already on their way are few, and looked for again when the slice is written. If one
 * came into the slice meanwhile, or retention took something away, the slice is written anew.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from './backup-error.ts';
import type { EventsFacts } from './backup-manifest.ts';
import { ask, EVENTS_HASH, type EventsAccess, hasEventsTable } from './events-access.ts';
import { writePacked } from './packed-file.ts';

/** Of texts, by the store's own count; as lines they are about twice as much. */
const SLICE_BYTES = 16_000_000;
const ATTEMPTS = 20;

type Options = {
  folder: string;
  receivedUntil: Date;
  /** Batches noted after the snapshot whose events were received before its end. */
  lateBatches: () => Promise<ReadonlySet<string>>;
  say: (line: string) => void;
};

type Bucket = { minute: number; rows: number; bytes: number };
type Slice = { partition: string; from: number; until: number; parts: number; part: number };

export async function backUpEvents(events: EventsAccess, options: Options): Promise<EventsFacts[]> {
  const done: EventsFacts[] = [];
  if (await hasEventsTable(events)) {
    for (const partition of await listPartitions(events)) {
      let number = 0;
      for (const slice of slicesOf(partition, await listBuckets(events, partition, options))) {
        const path = `events/${partition}-${String(number++).padStart(5, '0')}.jsonl.gz`;
        const facts = await writeSlice(events, { slice, path, options });
        if (facts !== undefined) done.push(facts);
      }
    }
  }
  options.say(`Events: ${done.reduce((sum, { rows }) => sum + rows, 0)} in ${done.length} files.`);
  return done;
}

async function listPartitions(events: EventsAccess): Promise<string[]> {
  const rows = await ask<{ month: number }>(
    events,
    `select toYYYYMM(time) as month from ${events.table} group by month order by month`,
  );
  return rows.map(({ month }) => String(month));
}

async function listBuckets(events: EventsAccess, partition: string, { receivedUntil }: Options): Promise<Bucket[]> {
  return await ask<Bucket>(
    events,
    `select toInt64(floor(toUnixTimestamp64Milli(time) / 60000)) as minute, count() as rows,
       sum(length(raw) * 2 + length(message) + 600) as bytes
     from ${events.table} where toYYYYMM(time) = {partition:UInt32} and received_at <= fromUnixTimestamp64Milli({until:Int64})
     group by minute order by minute`,
    { partition: Number(partition), until: receivedUntil.getTime() },
  );
}

/** Whole minutes together up to the size of a slice; a minute that is larger alone is divided by the ids of its events. */
function* slicesOf(partition: string, buckets: readonly Bucket[]): Generator<Slice> {
  let open: { from: number; until: number; bytes: number } | undefined;
  for (const { minute, bytes } of buckets) {
    if (open !== undefined && open.bytes + bytes > SLICE_BYTES) {
      yield* divided(partition, open);
      open = undefined;
    }
    open = { from: open?.from ?? minute, until: minute + 1, bytes: (open?.bytes ?? 0) + bytes };
  }
  if (open !== undefined) yield* divided(partition, open);
}

function* divided(partition: string, period: { from: number; until: number; bytes: number }): Generator<Slice> {
  const parts = Math.ceil(period.bytes / SLICE_BYTES);
  for (let part = 0; part < parts; part++) yield { partition, from: period.from, until: period.until, parts, part };
}

async function writeSlice(
  events: EventsAccess,
  { slice, path, options }: { slice: Slice; path: string; options: Options },
): Promise<EventsFacts | undefined> {
  const { folder, receivedUntil, lateBatches } = options;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const late = [...(await lateBatches())];
    const condition = `toYYYYMM(time) = ${slice.partition} and time >= fromUnixTimestamp64Milli(${slice.from * 60_000})
      and time < fromUnixTimestamp64Milli(${slice.until * 60_000}) and cityHash64(id) % ${slice.parts} = ${slice.part}
      and received_at <= fromUnixTimestamp64Milli(${receivedUntil.getTime()})
      and batch not in {late:Array(UUID)}`;
    const before = await summarize(events, condition, late);
    const { stream } = await events.client.exec({
      query: `select * from ${events.table} where ${condition} format JSONEachRow`,
      query_params: { late },
    });
    const { lines, content_sha256, ...file } = await writePacked(folder, path, stream as AsyncIterable<Buffer>);
    const after = await summarize(events, condition, [...(await lateBatches())]);
    if (before.hash === after.hash && before.rows === after.rows && lines === after.rows) {
      if (lines > 0) return { ...file, partition: slice.partition, rows: lines, rows_hash: after.hash };
      await rm(join(folder, path));
      return undefined;
    }
    await rm(join(folder, path));
  }
  throw new BackupError('The events change faster than they can be read. Try again when less comes in.');
}

async function summarize(events: EventsAccess, condition: string, late: readonly string[]) {
  const [row] = await ask<{ rows: number; hash: string }>(
    events,
    `select count() as rows, ${EVENTS_HASH} as hash from ${events.table} where ${condition}`,
    { late },
  );
  return row ?? { rows: 0, hash: '0' };
}
