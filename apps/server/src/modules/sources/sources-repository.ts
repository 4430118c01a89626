import type { SourceKind } from '@airdeck/contracts/sources/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { IngestSource } from './ingest-source.ts';

export type SourceRow = {
  id: string;
  name: string;
  kind: SourceKind;
  token_hint: string;
  last_event_at: Date | null;
  events_24h: number;
};

export async function listSources(tx: Tx, scope: TenantScope, since: Date): Promise<SourceRow[]> {
  return await tx
    .selectFrom('event_source as s')
    .select(['s.id', 's.name', 's.kind', 's.token_hint'])
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
    ])
    .where('s.tenant_id', '=', scope.tenantId)
    .where('s.connector_id', 'is', null)
    .orderBy('s.created_at')
    .orderBy('s.id')
    .limit(1000)
    .execute();
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
      created_at: row.createdAt,
    })
    // Two workers may make the source of one connector; one of them does.
    .onConflict((conflict) => conflict.column('connector_id').where('connector_id', 'is not', null).doNothing())
    .execute();
}

export type SourceLookup =
  | { tokenHash: Buffer }
  | { sender: string }
  | { syslogDefault: true }
  | { connector: string; tenantId: string };

/** In a system transaction: who sends is known only afterwards. */
export async function findIngestSource(tx: Tx, lookup: SourceLookup): Promise<IngestSource | undefined> {
  let query = tx
    .selectFrom('event_source as s')
    .innerJoin('tenant as t', 't.id', 's.tenant_id')
    .select(['s.id', 's.tenant_id as tenantId', 's.name', 's.kind'])
    .leftJoin('tenant_settings as ts', 'ts.tenant_id', 's.tenant_id')
    // What the tenant chose, never longer than its plan of today; null is no choice, which `least` passes over.
    .select(sql<number>`least(ts.retention_days, (t.sku_info ->> 'retention_length_days')::int)`.as('retentionDays'));
  if ('tokenHash' in lookup) query = query.where('s.token_hash', '=', lookup.tokenHash);
  else if ('connector' in lookup) {
    query = query.where('s.connector_id', '=', lookup.connector).where('s.tenant_id', '=', lookup.tenantId);
  } else if ('sender' in lookup) {
    query = query
      .where(sql<boolean>`s.sender_addresses @> array[${lookup.sender}]::text[]`)
      .where('s.kind', '=', 'syslog');
  } else query = query.where('s.syslog_default', '=', true);
  return await query.orderBy('s.created_at').limit(1).executeTakeFirst();
}
