import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';

/**
 * How long after its last word a writer counts as gone: longer than an insert takes that it gave up, which the event store
 * may still go on with. Its word comes several times in between.
 */
export const WRITER_GONE_MS = 90_000;

/** All in system transactions: one flush writes batches of many tenants, each row with its owner from the source's token. */

export type BatchRow = {
  tenantId: string;
  sourceId: string;
  id: string;
  storedAs: string;
  bodyHash: Buffer;
  accepted: number;
  rejected: number;
  errors: IngestAnswer['errors'];
  receivedAt: number;
};

export type KnownBatch = {
  status: 'writing' | 'done';
  body_hash: Buffer;
  writer: string;
  accepted: number;
  rejected: number;
  errors: IngestAnswer['errors'];
  received_at: Date;
  taken_at: Date;
  stored_as: string | null;
  done_at: Date | null;
};

export async function findBatch(tx: Tx, sourceId: string, id: string): Promise<KnownBatch | undefined> {
  return await tx
    .selectFrom('ingest_batch')
    .select(['status', 'body_hash', 'writer', 'accepted', 'rejected', 'errors', 'received_at', 'taken_at'])
    .select(['stored_as', 'done_at'])
    .where('source_id', '=', sourceId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Notes that this writer is about to write these batches. Returns the ids of those nobody else has taken. */
export async function takeNewBatches(
  tx: Tx,
  batches: readonly BatchRow[],
  by: { writer: string; now: Date },
): Promise<Set<string>> {
  if (batches.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    insert into ingest_batch (tenant_id, source_id, id, stored_as, status, body_hash, writer, accepted, rejected, errors, received_at, taken_at)
    select tenant_id, source_id, id, stored_as, 'writing', body_hash, ${by.writer}::uuid, accepted, rejected, errors::jsonb, received_at, ${by.now}::timestamptz
    from unnest(${batches.map((b) => b.tenantId)}::uuid[], ${batches.map((b) => b.sourceId)}::uuid[], ${batches.map((b) => b.id)}::uuid[],
      ${batches.map((b) => b.storedAs)}::uuid[],
      ${batches.map((b) => b.bodyHash)}::bytea[], ${batches.map((b) => b.accepted)}::int[], ${batches.map((b) => b.rejected)}::int[],
      ${batches.map((b) => JSON.stringify(b.errors))}::text[], ${batches.map((b) => new Date(b.receivedAt))}::timestamptz[])
      as b (tenant_id, source_id, id, stored_as, body_hash, accepted, rejected, errors, received_at)
    order by source_id, id
    on conflict (source_id, id) do nothing
    returning id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** Notes that this writer is still at them. Returns the ids of those nobody took from it. */
export async function renewTaken(
  tx: Tx,
  batches: readonly BatchRow[],
  by: { writer: string; now: Date },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update ingest_batch b set taken_at = ${by.now}::timestamptz
    from ${placesOf(batches)} as d (source_id, id)
    where b.source_id = d.source_id and b.id = d.id and b.status = 'writing' and b.writer = ${by.writer}::uuid
    returning b.id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/** Takes over a batch that was left half written, unless somebody else was quicker. */
export async function takeOverBatch(
  tx: Tx,
  batch: { sourceId: string; id: string },
  by: { writer: string; now: Date; previous: KnownBatch },
): Promise<boolean> {
  const result = await tx
    .updateTable('ingest_batch')
    .set({ writer: by.writer, taken_at: by.now })
    .where('source_id', '=', batch.sourceId)
    .where('id', '=', batch.id)
    .where('status', '=', 'writing')
    .where('writer', '=', by.previous.writer)
    .where('taken_at', '=', by.previous.taken_at)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Begins a batch anew that was done: the same body is another delivery by now. False when somebody else just did. */
export async function renewBatch(
  tx: Tx,
  batch: { sourceId: string; id: string },
  by: { writer: string; now: Date; receivedAt: Date; storedAs: string; previous: KnownBatch },
): Promise<boolean> {
  const result = await tx
    .updateTable('ingest_batch')
    .set({ status: 'writing', writer: by.writer, received_at: by.receivedAt, taken_at: by.now })
    .set({ stored_as: by.storedAs, done_at: null })
    .where('source_id', '=', batch.sourceId)
    .where('id', '=', batch.id)
    .where('status', '=', 'done')
    .where('received_at', '=', by.previous.received_at)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Locks the batches until the transaction ends. Returns the ids of those that were this writer's and not done before. */
export async function finishBatches(
  tx: Tx,
  batches: readonly BatchRow[],
  by: { writer: string; now: Date },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update ingest_batch b set status = 'done', done_at = ${by.now}::timestamptz
    from ${placesOf(batches)} as d (source_id, id)
    where b.source_id = d.source_id and b.id = d.id and b.status = 'writing' and b.writer = ${by.writer}::uuid
    returning b.id`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

function placesOf(batches: readonly BatchRow[]) {
  return sql`unnest(${batches.map((b) => b.sourceId)}::uuid[], ${batches.map((b) => b.id)}::uuid[])`;
}

/** By when they were last in hand: lines of syslog may have waited for the stores longer than batches are remembered. */
export async function deleteBatchesBefore(tx: Tx, before: Date): Promise<number> {
  const result = await tx
    .deleteFrom('ingest_batch')
    // Which the index knows; nothing is taken before it is received.
    .where('received_at', '<', before)
    .where(sql<boolean>`coalesce(done_at, taken_at) < ${before}`)
    // A connector may come back to the page it has in hand after any time.
    .where(sql<boolean>`not exists (select from connector_cursor c where c.batch_id = ingest_batch.id)`)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
