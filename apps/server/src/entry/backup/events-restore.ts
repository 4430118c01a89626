import { Readable } from 'node:stream';
import { ClickHouseError } from '@clickhouse/client';
import { applyEventsSchema } from '../../storage/events-schema.ts';
import { BackupError } from './backup-error.ts';
import type { EventsFacts } from './backup-manifest.ts';
import { ask, EVENTS_HASH, type EventsAccess, hasEventsTable } from './events-access.ts';
import { readPacked } from './packed-file.ts';

/** As the server itself stores them, so that every value becomes what it was. */
const insertSettings = {
  async_insert: 0,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  max_partitions_per_insert_block: '0',
} as const;

const ACCESS_DENIED = '497';
const WRAPS_AT = 2n ** 64n;

export async function requireNoEvents(events: EventsAccess): Promise<void> {
  if (!(await hasEventsTable(events))) return;
  const [row] = await ask<{ rows: number }>(events, `select count() as rows from ${events.table}`);
  if ((row?.rows ?? 0) === 0) return;
  throw new BackupError(
    `The event store already holds ${row?.rows} events in ${events.table}: a restore needs an empty one. Name another database in EVENTS_URL.`,
  );
}

/** Loads all events and compares each month with what was backed up. */
export async function restoreEvents(
  events: EventsAccess,
  from: { folder: string; slices: readonly EventsFacts[]; say: (line: string) => void },
): Promise<void> {
  await applyEventsSchema(events.client, events);
  await setExpiry(events, 'stop');
  try {
    for (const { path } of from.slices) {
      const { stream } = await events.client.exec({
        query: `insert into ${events.table} format JSONEachRow`,
        values: Readable.from(readPacked(from.folder, path), { objectMode: false }),
        clickhouse_settings: insertSettings,
      });
      await stream.toArray();
    }
    await verifyEvents(events, from.slices);
  } finally {
    await setExpiry(events, 'start');
  }
  from.say(`Events: ${from.slices.reduce((sum, { rows }) => sum + rows, 0)} loaded and compared.`);
}

/** What has outlived its retention meanwhile goes as soon as it is compared. An account that may not say so compares at once. */
export async function setExpiry(events: EventsAccess, order: 'start' | 'stop'): Promise<void> {
  try {
    await events.client.command({ query: `system ${order} ttl merges ${events.table}` });
  } catch (error) {
    if (!(error instanceof ClickHouseError && error.code === ACCESS_DENIED)) throw error;
  }
}

async function verifyEvents(events: EventsAccess, slices: readonly EventsFacts[]): Promise<void> {
  const wanted = new Map<string, { rows: number; hash: bigint }>();
  for (const { partition, rows, rows_hash } of slices) {
    const known = wanted.get(partition) ?? { rows: 0, hash: 0n };
    wanted.set(partition, { rows: known.rows + rows, hash: (known.hash + BigInt(rows_hash)) % WRAPS_AT });
  }
  for (const [partition, { rows, hash }] of wanted) {
    const [found] = await ask<{ rows: number; hash: string }>(
      events,
      `select count() as rows, ${EVENTS_HASH} as hash from ${events.table} where toYYYYMM(time) = {partition:UInt32}`,
      { partition: Number(partition) },
    );
    if (found?.rows === rows && BigInt(found.hash) === hash) continue;
    throw new BackupError(`The events of ${partition} are not the ones that were backed up.`);
  }
}
