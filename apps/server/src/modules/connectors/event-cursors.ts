/**
 * How far a connector's events were fetched. A page is kept together with its batch id before it is ingested and let go in
 * the transaction that moves the cursor behind it:
 *
 *   1. page and batch id kept, committed      2. batch ingested (idempotent by its id)      3. cursor moved, page let go
 *
 * After a crash between 1 and 3 the kept page is ingested again as the same batch, whatever the vendor would answer by then:
 * nothing is lost, nothing comes twice; also where the connector has other options by then. `revision` fences off a second
 * worker on the same connector.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** `options_hash`: events fetched with other options, or from another host, are another row of events. */
export type CursorKey = { connectorId: string; optionsHash: string };

export type CursorState = {
  revision: number;
  cursor: JsonObject | null;
  /** Fetched and perhaps not ingested. */
  pending: { batchId: string; page: FetchPage } | null;
};

/** Somebody else moved the cursor, or the connector is gone: whatever was fetched is theirs to fetch. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

export function optionsHash(what: { options: JsonObject; destination: string }): string {
  return createHash('sha256')
    .update(stable([what.options, what.destination]))
    .digest('hex');
}

/** Keys sorted: the store gives them back in an order of its own. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

export async function readCursor(tx: Tx, scope: TenantScope, key: CursorKey, now: Date): Promise<CursorState> {
  await tx
    .insertInto('connector_cursor')
    .values({
      tenant_id: scope.tenantId,
      connector_id: key.connectorId,
      options_hash: key.optionsHash,
      cursor: null,
      batch_id: null,
      page: null,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['connector_id', 'options_hash']).doNothing())
    .execute();
  const row = await tx
    .selectFrom('connector_cursor')
    .select(['revision', 'cursor', 'batch_id', 'page'])
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', key.connectorId)
    .where('options_hash', '=', key.optionsHash)
    .executeTakeFirstOrThrow();
  const pending =
    row.batch_id === null || row.page === null ? null : { batchId: row.batch_id, page: await unpacked(row.page) };
  return {
    revision: row.revision,
    cursor: row.cursor === null ? null : (JSON.parse(row.cursor) as JsonObject),
    pending,
  };
}

/** Where pages are kept that were fetched with options the connector has no more. */
export async function keptWithOtherOptions(tx: Tx, scope: TenantScope, key: CursorKey): Promise<CursorKey[]> {
  const rows = await tx
    .selectFrom('connector_cursor')
    .select('options_hash')
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', key.connectorId)
    .where('options_hash', '!=', key.optionsHash)
    .where('batch_id', 'is not', null)
    .orderBy('updated_at')
    .execute();
  return rows.map(({ options_hash: optionsHash }) => ({ connectorId: key.connectorId, optionsHash }));
}

/** Packs outside of any transaction: a page may have megabytes. */
export async function packPage(page: FetchPage): Promise<Buffer> {
  return await compress(JSON.stringify(page));
}

async function unpacked(bytes: Buffer): Promise<FetchPage> {
  return JSON.parse((await decompress(bytes)).toString('utf8')) as FetchPage;
}

type Move = { revision: number; at: Date };

/** Throws `CursorMoved`. */
export async function keepPage(
  tx: Tx,
  scope: TenantScope,
  key: CursorKey,
  kept: Move & { batchId: string; packed: Buffer },
): Promise<void> {
  await move(tx, scope, key, kept, { batch_id: kept.batchId, page: kept.packed });
}

/** The page in hand is done. Throws `CursorMoved`. */
export async function moveCursor(
  tx: Tx,
  scope: TenantScope,
  key: CursorKey,
  to: Move & { cursor: JsonObject },
): Promise<void> {
  await move(tx, scope, key, to, { cursor: JSON.stringify(to.cursor), batch_id: null, page: null });
}

async function move(
  tx: Tx,
  scope: TenantScope,
  key: CursorKey,
  { revision, at }: Move,
  change: { cursor?: string; batch_id: string | null; page: Buffer | null },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('connector_cursor')
    .set({ ...change, revision: sql`revision + 1`, updated_at: at })
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', key.connectorId)
    .where('options_hash', '=', key.optionsHash)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new CursorMoved('The cursor of this connector was moved by somebody else.');
}
