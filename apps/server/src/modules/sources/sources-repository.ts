import { serverLimits } from '@airdeck/contracts/server-limits';
import type { SourceKind } from '@airdeck/contracts/sources/schema';
import { sql, type Updateable } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { IngestSource } from './ingest-source.ts';
import type { SourcesTables } from './sources-tables.ts';

export type SourceRow = {
  id: string;
  name: string;
  kind: SourceKind;
  token_hint: string;
  last_event_at: Date | null;
  events_24h: number;
  rejected_24h: number;
  repeated_24h: number;
  clock: ClockRow | null;
  created_at: Date;
};

export type ClockRow = { ahead: number; ahead_ms: number; behind: number; behind_ms: number; unbelievable: number };

export async function listSources(tx: Tx, scope: TenantScope, since: Date): Promise<SourceRow[]> {
  return await selectSources(tx, scope, since)
    .orderBy('s.created_at')
    .orderBy('s.id')
    .limit(serverLimits.sourcesMax)
    .execute();
}

export async function findSource(
  tx: Tx,
  scope: TenantScope,
  { id, since }: { id: string; since: Date },
): Promise<SourceRow | undefined> {
  return await selectSources(tx, scope, since).where('s.id', '=', id).executeTakeFirst();
}

export async function countSources(tx: Tx, scope: TenantScope): Promise<number> {
  const { count } = await tx
    .selectFrom('event_source as s')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('s.tenant_id', '=', scope.tenantId)
    .where('s.connector_id', 'is', null)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** The request that made the source of this id, also of one that was deleted; undefined when there was none. */
export async function findRequest(tx: Tx, scope: TenantScope, id: string): Promise<string | null | undefined> {
  const found = await tx
    .selectFrom('event_source')
    .select('request_hash')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.request_hash;
}

export async function hasToken(
  tx: Tx,
  scope: TenantScope,
  { id, tokenHash }: { id: string; tokenHash: Buffer | undefined },
): Promise<boolean> {
  if (tokenHash === undefined) return false;
  const found = await tx
    .selectFrom('event_source')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('token_hash', '=', tokenHash)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Nobody else replaces the token of the source before the transaction ends. */
export async function lockTokenHint(tx: Tx, scope: TenantScope, id: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('event_source')
    .select('token_hint')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return found?.token_hint;
}

/** Changes a source people see; false when there is none of that id. */
export async function updateSource(
  tx: Tx,
  scope: TenantScope,
  id: string,
  change: Updateable<SourcesTables['event_source']>,
): Promise<boolean> {
  const result = await tx
    .updateTable('event_source')
    .set(change)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('connector_id', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

function selectSources(tx: Tx, scope: TenantScope, since: Date) {
  return tx
    .selectFrom('event_source as s')
    .select(['s.id', 's.name', 's.kind', 's.token_hint', 's.created_at'])
    .select((eb) => [
      eb
        .selectFrom('source_arrival_hour as a')
        .select('a.last_event_at')
        .whereRef('a.source_id', '=', 's.id')
        .orderBy('a.hour', 'desc')
        .limit(1)
        .as('last_event_at'),
      sql<number>`coalesce((select sum(a.events)::bigint from source_arrival_hour a
        where a.source_id = s.id and a.hour > ${since}), 0)`.as('events_24h'),
      sql<number>`coalesce((select sum(a.rejected)::bigint from source_arrival_hour a
        where a.source_id = s.id and a.hour > ${since}), 0)`.as('rejected_24h'),
      sql<number>`coalesce((select sum(a.repeated)::bigint from source_arrival_hour a
        where a.source_id = s.id and a.hour > ${since}), 0)`.as('repeated_24h'),
      sql<ClockRow | null>`(select json_build_object('ahead', sum(a.ahead), 'ahead_ms', sum(a.ahead_ms), 'behind', sum(a.behind),
        'behind_ms', sum(a.behind_ms), 'unbelievable', sum(a.unbelievable)) from source_arrival_hour a
        where a.source_id = s.id and a.hour > ${since} having sum(a.ahead + a.behind + a.unbelievable) > 0)`.as(
        'clock',
      ),
    ])
    .where('s.tenant_id', '=', scope.tenantId)
    .where('s.connector_id', 'is', null)
    .where('s.deleted_at', 'is', null);
}

export type NewSourceRow = {
  id: string;
  name: string;
  kind: SourceKind;
  tokenHash: Buffer;
  tokenHint: string;
  syslogDefault: boolean;
  senderAddresses: string[];
  /** Whose fetched events it is for. */
  connectorId?: string;
  requestHash?: string | null;
  createdAt: Date;
};

export async function insertSource(tx: Tx, scope: TenantScope, row: NewSourceRow): Promise<void> {
  await tx
    .insertInto('event_source')
    .values({
      id: row.id,
      tenant_id: scope.tenantId,
      name: row.name,
      kind: row.kind,
      token_hash: row.tokenHash,
      token_hint: row.tokenHint,
      syslog_default: row.syslogDefault,
      sender_addresses: row.senderAddresses,
      connector_id: row.connectorId ?? null,
      request_hash: row.requestHash ?? null,
      created_at: row.createdAt,
    })
    // Two workers may make the source of one connector; one of them does.
    .onConflict((conflict) => conflict.column('connector_id').where('connector_id', 'is not', null).doNothing())
    .execute();
}

export type SourceLookup = { syslogSource: string } | { syslogDefault: true } | { connector: string; tenantId: string };

/** In a system transaction: who sends is known only afterwards. */
export async function findIngestSource(tx: Tx, lookup: SourceLookup): Promise<IngestSource | undefined> {
  let query = ingestSources(tx);
  if ('syslogSource' in lookup) query = query.where('s.id', '=', lookup.syslogSource).where('s.kind', '=', 'syslog');
  else if ('connector' in lookup) {
    query = query.where('s.connector_id', '=', lookup.connector).where('s.tenant_id', '=', lookup.tenantId);
  } else query = query.where('s.syslog_default', '=', true);
  return await query.orderBy('s.created_at').limit(1).executeTakeFirst();
}

/** The sources of those tokens, in the order of the hashes. */
export async function findIngestSourcesByToken(
  tx: Tx,
  hashes: readonly Buffer[],
): Promise<(IngestSource | undefined)[]> {
  const rows = await ingestSources(tx)
    .select('s.token_hash as tokenHash')
    .where('s.token_hash', 'in', [...hashes])
    .execute();
  const found = new Map(rows.map(({ tokenHash, ...source }) => [tokenHash.toString('base64'), source]));
  return hashes.map((hash) => found.get(hash.toString('base64')));
}

/** The syslog sources that claim those addresses, in the order of the addresses; the oldest that does. */
export async function findIngestSourcesBySender(
  tx: Tx,
  addresses: readonly string[],
): Promise<(IngestSource | undefined)[]> {
  const rows = await ingestSources(tx)
    .select('s.sender_addresses as senders')
    .where(sql<boolean>`s.sender_addresses && ${addresses}::text[]`)
    .where('s.kind', '=', 'syslog')
    .orderBy('s.created_at', 'desc')
    .execute();
  const found = new Map(rows.flatMap(({ senders, ...source }) => senders.map((sender) => [sender, source] as const)));
  return addresses.map((address) => found.get(address));
}

function ingestSources(tx: Tx) {
  return (
    tx
      .selectFrom('event_source as s')
      .innerJoin('tenant as t', 't.id', 's.tenant_id')
      .select(['s.id', 's.tenant_id as tenantId', 's.name', 's.kind'])
      .leftJoin('tenant_settings as ts', 'ts.tenant_id', 's.tenant_id')
      // What the tenant chose, never longer than its plan of today; null is no choice, which `least` passes over.
      .select(sql<number>`least(ts.retention_days, (t.sku_info ->> 'retention_length_days')::int)`.as('retentionDays'))
      .where('s.deleted_at', 'is', null)
  );
}
