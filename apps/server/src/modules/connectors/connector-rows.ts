/** Rows of connectors as people read and change them. */
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ConnectorRow } from './connectors-repository.ts';
import type { ConnectorsTables } from './connectors-tables.ts';

export type ConnectorChange = Updateable<ConnectorsTables['connector']>;

/** What arrived of a connector's events in the last day. */
export type Arrivals = { events_24h: number; last_event_at: Date | null };

/** Changes of a tenant's connectors one after the other: names, defaults and their number are checked before they are set. */
export async function lockConnectors(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`connector/${scope.tenantId}`}, 0))`.execute(tx);
}

export async function listConnectors(tx: Tx, scope: TenantScope, max: number): Promise<ConnectorRow[]> {
  return await tx
    .selectFrom('connector')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(max)
    .execute();
}

export async function findConnector(tx: Tx, scope: TenantScope, id: string): Promise<ConnectorRow | undefined> {
  return await tx
    .selectFrom('connector')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function lockConnector(tx: Tx, scope: TenantScope, id: string): Promise<ConnectorRow | undefined> {
  return await tx
    .selectFrom('connector')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function addConnector(tx: Tx, row: Insertable<ConnectorsTables['connector']>): Promise<void> {
  await tx.insertInto('connector').values(row).execute();
}

export async function changeConnector(tx: Tx, scope: TenantScope, id: string, change: ConnectorChange): Promise<void> {
  await tx.updateTable('connector').set(change).where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

export async function removeConnector(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('connector').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

export async function removeSecrets(
  tx: Tx,
  scope: TenantScope,
  which: { connectorId: string; except: readonly string[] },
): Promise<void> {
  let query = tx
    .deleteFrom('connector_secret')
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', which.connectorId);
  if (which.except.length > 0) query = query.where('field', 'not in', [...which.except]);
  await query.execute();
}

/** When it was changed, or the default moved to or from it: who read it before has not seen what it is now. */
export function lastChangeOf({ updated_at, default_moved_at }: ConnectorRow): Date {
  return default_moved_at !== null && default_moved_at > updated_at ? default_moved_at : updated_at;
}

/** Later than the change before, also within one millisecond: it tells the two apart. */
export function changedAfter(row: ConnectorRow, now: Date): Date {
  return new Date(Math.max(now.getTime(), lastChangeOf(row).getTime() + 1));
}

export async function moveDefault(
  tx: Tx,
  scope: TenantScope,
  { row, isDefault, now }: { row: ConnectorRow; isDefault: boolean; now: Date },
): Promise<void> {
  await changeConnector(tx, scope, row.id, { is_default: isDefault, default_moved_at: changedAfter(row, now) });
}

/** No connector of the integration is the default any more. */
export async function clearDefault(
  tx: Tx,
  scope: TenantScope,
  { definitionId, now }: { definitionId: string; now: Date },
): Promise<void> {
  const row = await tx
    .selectFrom('connector')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('definition_id', '=', definitionId)
    .where('is_default', '=', true)
    .executeTakeFirst();
  if (row !== undefined) await moveDefault(tx, scope, { row, isDefault: false, now });
}

/** Whom the default falls to when this one goes: the oldest that can be used, otherwise the oldest. */
export async function findNextDefault(
  tx: Tx,
  scope: TenantScope,
  { id, definition_id }: Pick<ConnectorRow, 'id' | 'definition_id'>,
): Promise<ConnectorRow | undefined> {
  return await tx
    .selectFrom('connector')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('definition_id', '=', definition_id)
    .where('id', '!=', id)
    .orderBy(sql`enabled and state <> 'paused'`, 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .executeTakeFirst();
}

export async function arrivalsOf(
  tx: Tx,
  scope: TenantScope,
  which: { connectorIds: readonly string[]; since: Date },
): Promise<Map<string, Arrivals>> {
  if (which.connectorIds.length === 0) return new Map();
  const { rows } = await sql<Arrivals & { connector_id: string }>`
    select s.connector_id,
      coalesce((select sum(a.events)::bigint from source_arrival_hour a where a.source_id = s.id and a.hour > ${which.since}), 0) as events_24h,
      (select a.last_event_at from source_arrival_hour a where a.source_id = s.id order by a.hour desc limit 1) as last_event_at
    from event_source s
    where s.tenant_id = ${scope.tenantId} and s.connector_id = any(${[...which.connectorIds]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ connector_id, ...arrivals }) => [connector_id, arrivals]));
}
