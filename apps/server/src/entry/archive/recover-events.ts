/**
 * The event store of an archive: the parts of a cut are put back as they are, and then made to fit the database, which may
 * be of an earlier or a later moment. Events of deliveries the database has never heard of are taken away: their senders
 * repeat them, and they would be there twice. Events that are missing although the database knows their delivery as done
 * are counted, because nobody will send them again.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { applyEventsSchema } from '../../storage/events-schema.ts';
import { BackupError } from '../backup/backup-error.ts';
import { ask, type EventsAccess } from '../backup/events-access.ts';
import { setExpiry } from '../backup/events-restore.ts';
import { type Cut, PARTS, partFile, tableFolder } from './event-cuts.ts';
import { unpackPart } from './packed-part.ts';

/** A delivery is noted before its events are stored, by the same clock; it takes less than this in between. */
const UNDER_WAY_MS = 5 * 60_000;
const PORTION = 1_000;

export async function recoverEvents(
  events: EventsAccess,
  from: { folder: string; cut: Cut | undefined; say: (line: string) => void },
): Promise<void> {
  const { folder, cut, say } = from;
  await applyEventsSchema(events.client, events);
  if (cut === undefined) {
    say('Events: none in this archive.');
    return;
  }
  await setExpiry(events, 'stop');
  const detached = join(await tableFolder(events), 'detached');
  await mkdir(detached, { recursive: true });
  for (const part of cut.parts) {
    await unpackPart(join(folder, PARTS, partFile(part)), part, join(detached, part.name));
    await events.client.command({ query: `alter table ${events.table} attach part '${part.name}'` });
  }
  const wanted = cut.parts.reduce((sum, { rows }) => sum + rows, 0);
  const [found] = await ask<{ rows: number }>(events, `select count() as rows from ${events.table}`);
  if (found?.rows !== wanted) {
    throw new BackupError(`The event store has ${found?.rows ?? 0} of the ${wanted} events of the archive.`);
  }
  say(`Events: ${wanted} in ${cut.parts.length} parts, as of ${cut.at}.`);
}

export type EventsVerdict = {
  /** Acknowledged, and not in the archive. */
  missing: { events: number; deliveries: { tenant: string; source: string; received_at: string; events: number }[] };
  /** Of deliveries the database knows nothing of. */
  removed: number;
};

export async function fitEvents(
  events: EventsAccess,
  database: ClientBase,
  at: { cut: Cut | undefined; until: Date | undefined; say: (line: string) => void },
): Promise<EventsVerdict> {
  const cutAt = at.cut === undefined ? 0 : Date.parse(at.cut.at);
  const since = Math.min(cutAt, at.until?.getTime() ?? cutAt) - UNDER_WAY_MS;
  const removed = await removeUnknown(events, database, since);
  const missing = await countMissing(events, database, cutAt - UNDER_WAY_MS);
  await setExpiry(events, 'start');
  const { say } = at;
  if (removed > 0)
    say(`Events: ${removed} taken away of deliveries the database does not know; their senders repeat them.`);
  if (missing.events > 0) {
    say(
      `Events: ${missing.events} acknowledged ones of ${missing.deliveries.length} deliveries came after the last cut and are LOST. Nobody repeats them. The deliveries:`,
    );
    for (const { tenant, source, received_at, events: count } of missing.deliveries.slice(0, TOLD_MAX)) {
      say(`  ${received_at}, tenant ${tenant}, source ${source}: ${count}`);
    }
    if (missing.deliveries.length > TOLD_MAX) say(`  and ${missing.deliveries.length - TOLD_MAX} more`);
  } else say('Events: everything acknowledged is there.');
  return { missing, removed };
}

const TOLD_MAX = 50;

async function removeUnknown(events: EventsAccess, database: ClientBase, since: number): Promise<number> {
  const rows = await ask<{ delivery: string; rows: number }>(
    events,
    `select toString(batch) as delivery, count() as rows from ${events.table}
     where stored_at >= fromUnixTimestamp64Milli({since:Int64}) group by delivery`,
    { since: Math.max(0, since) },
  );
  let removed = 0;
  for (const portion of portionsOf(rows)) {
    const ids = portion.map(({ delivery }) => delivery);
    const { rows: known } = await database.query<{ id: string }>(
      'select coalesce(stored_as, id)::text as id from public.ingest_batch where coalesce(stored_as, id) = any ($1::uuid[])',
      [ids],
    );
    const there = new Set(known.map(({ id }) => id));
    const unknown = portion.filter(({ delivery }) => !there.has(delivery));
    if (unknown.length === 0) continue;
    await events.client.command({
      query: `alter table ${events.table} delete where batch in {unknown:Array(UUID)} settings mutations_sync = 1`,
      query_params: { unknown: unknown.map(({ delivery }) => delivery) },
    });
    removed += unknown.reduce((sum, each) => sum + each.rows, 0);
  }
  return removed;
}

async function countMissing(
  events: EventsAccess,
  database: ClientBase,
  since: number,
): Promise<EventsVerdict['missing']> {
  const { rows: done } = await database.query<{
    id: string;
    accepted: number;
    tenant: string;
    source: string;
    received_at: Date;
  }>(
    `select coalesce(stored_as, id)::text as id, accepted, tenant_id as tenant, source_id as source, received_at
     from public.ingest_batch
     where status = 'done' and accepted > 0 and (done_at is null or done_at >= $1) order by received_at`,
    [new Date(Math.max(0, since))],
  );
  const deliveries: EventsVerdict['missing']['deliveries'] = [];
  for (const portion of portionsOf(done)) {
    const found = await ask<{ delivery: string; rows: number }>(
      events,
      `select toString(batch) as delivery, count() as rows from ${events.table}
       where batch in {ids:Array(UUID)} group by delivery`,
      { ids: portion.map(({ id }) => id) },
    );
    const rows = new Map(found.map((row) => [row.delivery, row.rows]));
    for (const { id, accepted, tenant, source, received_at } of portion) {
      const lost = accepted - (rows.get(id) ?? 0);
      if (lost > 0) deliveries.push({ tenant, source, received_at: received_at.toISOString(), events: lost });
    }
  }
  return { events: deliveries.reduce((sum, each) => sum + each.events, 0), deliveries };
}

function* portionsOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += PORTION) yield all.slice(at, at + PORTION);
}
