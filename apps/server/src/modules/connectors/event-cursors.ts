/**
 * How far a connector's events were fetched. A page is kept together with its batch id before it is ingested and let go in
 * the transaction that moves the cursor behind it:
 *
 *   1. page and batch id kept, committed      2. batch ingested (idempotent by its id)      3. cursor moved, page let go
 *
 * After a crash between 1 and 3 the kept page is ingested again as the same batch, whatever the vendor would answer by then:
 * nothing is lost, nothing comes twice; also where the connector has other options by then. `revision` fences off a second
 * worker on the same connector.
 *
 * Options that do not say which records there are may change at any time: fetching goes on where it was. With others that do,
 * it begins where the one before had caught up, as nobody wants a month of events a second time. Options that are chosen
 * again go on where they were left: what others took meanwhile comes twice rather than anything be missed.
 * Another account at the same host is another vendor: nothing of what was fetched of the one says anything of the other.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { FetchPage } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/**
 * Each set of options has a place of its own at each account. `selection` says which of them are places in the same row of
 * events: whose, which of them, and of which sources.
 */
export type CursorKey = { connectorId: string; optionsHash: string; selection: string };

type WantedPlace = CursorKey & {
  /** In place of `optionsHash` where another account has that place already. */
  accountHash: string | undefined;
  /** What was noted as `selection` before it named accounts and sources. */
  formerSelection: string;
};

/** How events are fetched and what they become, not which; `sources` have a place each. */
const aboutNoRecord: ReadonlySet<string> = new Set(['lookback_hours', 'settle_s', 'event_type', 'sources']);

/** `account` as `accountOf` gives it: what says beside the destination whose events they are. */
export function cursorKey(
  connectorId: string,
  options: JsonObject,
  { destination, account }: { destination: string; account: JsonObject | undefined },
): WantedPlace {
  const selecting = Object.entries(options).filter(([name]) => !aboutNoRecord.has(name));
  const which = hashOf(Object.fromEntries(selecting));
  const whose = hashOf(account === undefined ? destination : [destination, account]);
  // Where nothing is chosen, only the connector knows which sources that means.
  const sources = Array.isArray(options.sources) ? options.sources : [''];
  return {
    connectorId,
    optionsHash: hashOf([options, destination]),
    accountHash: account === undefined ? undefined : hashOf([options, destination, account]),
    selection: `${whose} ${which} ${sources.map((source) => encodeURIComponent(String(source))).join(',')}`,
    formerSelection: `${hashOf(destination)} ${which}`,
  };
}

function partsOf(selection: string): { whose: string; which: string; sources: ReadonlySet<string> } {
  const [whose = '', which = '', sources] = selection.split(' ');
  return { whose, which, sources: new Set(sources?.split(',')) };
}

/**
 * The place to fetch with, made where there is none. The first account to come keeps the place that the release before
 * knows, which goes on there beside this one; each further one has a place of its own. Throws `CursorMoved`.
 */
export async function claimPlace(tx: Tx, scope: TenantScope, wanted: WantedPlace, now: Date): Promise<CursorKey> {
  const { connectorId, optionsHash, accountHash, selection } = wanted;
  const shared = { connectorId, optionsHash, selection };
  const holder = await claim(tx, scope, wanted, now);
  if (accountHash === undefined || partsOf(holder).whose === partsOf(selection).whose) return shared;
  const own = { connectorId, optionsHash: accountHash, selection };
  await claim(tx, scope, { ...wanted, ...own }, now);
  return own;
}

/** Gives the selection of whoever has the place. */
async function claim(tx: Tx, scope: TenantScope, wanted: WantedPlace, now: Date): Promise<string> {
  const { connectorId, optionsHash, selection, formerSelection } = wanted;
  await tx
    .insertInto('connector_cursor')
    .values({
      tenant_id: scope.tenantId,
      connector_id: connectorId,
      options_hash: optionsHash,
      selection,
      cursor: null,
      caught_up_at: null,
      batch_id: null,
      page: null,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['connector_id', 'options_hash'])
        .doUpdateSet({ selection })
        .where(({ eb, or }) =>
          or([eb('connector_cursor.selection', 'is', null), eb('connector_cursor.selection', '=', formerSelection)]),
        ),
    )
    .execute();
  const place = await ofConnector(tx, scope, { connectorId })
    .select('selection')
    .where('options_hash', '=', optionsHash)
    .executeTakeFirst();
  if (place === undefined) throw new CursorMoved('This connector is gone.');
  return place.selection ?? selection;
}

export type CursorState = {
  revision: number;
  cursor: JsonObject | null;
  /** Fetched and perhaps not ingested. */
  pending: { batchId: string; page: FetchPage } | null;
  /** Without a cursor: up to when all events of this account were fetched, by a selection of before. */
  caughtUpAt: Date | null;
};

/** Somebody else moved the cursor, or the connector is gone: whatever was fetched is theirs to fetch. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(stable(value)).digest('hex');
}

/** Keys sorted: the store gives them back in an order of its own. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

export async function readCursor(tx: Tx, scope: TenantScope, key: CursorKey, now: Date): Promise<CursorState> {
  const { optionsHash, selection } = key;
  const places = await ofConnector(tx, scope, key).selectAll().orderBy('updated_at', 'desc').execute();
  const own = places.find(({ options_hash: hash }) => hash === optionsHash);
  if (own === undefined) throw new CursorMoved('This connector is gone.');
  const { revision } = own;
  if (own.batch_id !== null && own.page !== null) {
    return {
      revision,
      cursor: read(own),
      pending: { batchId: own.batch_id, page: await unpacked(own.page) },
      caughtUpAt: null,
    };
  }
  const { whose, which, sources } = partsOf(selection);
  const others = places.flatMap((place) => {
    const parts = partsOf(place.selection ?? '');
    if (place === own || place.cursor === null || parts.whose !== whose) return [];
    const hasAllSources = [...sources].every((source) => parts.sources.has(source));
    return [{ ...place, which: parts.which, caughtUpAt: hasAllSources ? place.caught_up_at : null }];
  });
  const ahead = others.find((place) => place.which === which);
  if (ahead !== undefined && (own.cursor === null || ahead.updated_at > own.updated_at)) {
    await move(
      tx,
      scope,
      key,
      { revision, at: now },
      {
        cursor: ahead.cursor,
        // Of a source that the others never had, only this place knows how far it is.
        caught_up_at: ahead.caughtUpAt ?? own.caught_up_at,
        batch_id: null,
        page: null,
      },
    );
    return { revision: revision + 1, cursor: read(ahead), pending: null, caughtUpAt: null };
  }
  const caughtUp = others.flatMap(({ caughtUpAt: at }) => at?.getTime() ?? []);
  const caughtUpAt = own.cursor === null && caughtUp.length > 0 ? new Date(Math.max(...caughtUp)) : null;
  return { revision, cursor: read(own), pending: null, caughtUpAt };
}

function ofConnector(tx: Tx, scope: TenantScope, { connectorId }: Pick<CursorKey, 'connectorId'>) {
  return tx
    .selectFrom('connector_cursor')
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', connectorId);
}

function read({ cursor }: { cursor: string | null }): JsonObject | null {
  return cursor === null ? null : (JSON.parse(cursor) as JsonObject);
}

type Place = Pick<CursorKey, 'connectorId' | 'optionsHash'>;

/** Pages that were fetched with options or from an account the connector has no more. */
export async function keptWithOtherOptions(
  tx: Tx,
  scope: TenantScope,
  key: CursorKey,
): Promise<{ key: Place; revision: number; pending: { batchId: string; page: FetchPage } }[]> {
  const rows = await ofConnector(tx, scope, key)
    .select(['options_hash', 'revision', 'batch_id', 'page'])
    .where('options_hash', '!=', key.optionsHash)
    .where('batch_id', 'is not', null)
    .orderBy('updated_at')
    .execute();
  const kept = [];
  for (const { options_hash: optionsHash, revision, batch_id: batchId, page } of rows) {
    if (batchId === null || page === null) continue;
    kept.push({
      key: { connectorId: key.connectorId, optionsHash },
      revision,
      pending: { batchId, page: await unpacked(page) },
    });
  }
  return kept;
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
  key: Place,
  kept: Move & { batchId: string; packed: Buffer },
): Promise<void> {
  await move(tx, scope, key, kept, { batch_id: kept.batchId, page: kept.packed });
}

/** The page in hand is done; `caughtUpAt` where nothing was behind it then. Throws `CursorMoved`. */
export async function moveCursor(
  tx: Tx,
  scope: TenantScope,
  key: Place,
  to: Move & { cursor: JsonObject; caughtUpAt?: Date | undefined },
): Promise<void> {
  const caughtUp = to.caughtUpAt === undefined ? {} : { caught_up_at: to.caughtUpAt };
  await move(tx, scope, key, to, { ...caughtUp, cursor: JSON.stringify(to.cursor), batch_id: null, page: null });
}

async function move(
  tx: Tx,
  scope: TenantScope,
  key: Place,
  { revision, at }: Move,
  change: { cursor?: string | null; caught_up_at?: Date | null; batch_id: string | null; page: Buffer | null },
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
