import type { SealedSecret, WrappedKey } from '@airdeck/connector-kit/secrets';
import type { JsonObject } from '@airdeck/contracts/fields';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ConnectorsTables } from './connectors-tables.ts';

export type ConnectorRow = Selectable<ConnectorsTables['connector']>;
export type ConnectorSecretRow = Selectable<ConnectorsTables['connector_secret']>;

/** The named connector, or the tenant's default one of the integration. */
export async function findUsableConnector(
  tx: Tx,
  scope: TenantScope,
  wanted: { definitionId: string; connectorId: string | null },
): Promise<ConnectorRow | undefined> {
  const query = tx
    .selectFrom('connector')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('definition_id', '=', wanted.definitionId)
    .where('enabled', '=', true)
    .where('state', '!=', 'paused');
  return wanted.connectorId === null
    ? await query.where('is_default', '=', true).executeTakeFirst()
    : await query.where('id', '=', wanted.connectorId).executeTakeFirst();
}

/** Whether what names it, or acts through it as the default, gets it. */
export function isUsable({ enabled, state }: Pick<ConnectorRow, 'enabled' | 'state'>): boolean {
  return enabled && state !== 'paused';
}

export async function findNamedConnector(
  tx: Tx,
  scope: TenantScope,
  wanted: { definitionId: string; name: string },
): Promise<ConnectorRow | undefined> {
  return await tx
    .selectFrom('connector')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('definition_id', '=', wanted.definitionId)
    .where('name', '=', wanted.name)
    .orderBy('id')
    .executeTakeFirst();
}

export async function updateConfig(
  tx: Tx,
  scope: TenantScope,
  connector: { id: string; config: JsonObject; at: Date },
): Promise<void> {
  await tx
    .updateTable('connector')
    .set({ config: JSON.stringify(connector.config), updated_at: connector.at })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', connector.id)
    .execute();
}

export async function secretsOf(tx: Tx, scope: TenantScope, connectorId: string): Promise<ConnectorSecretRow[]> {
  return await tx
    .selectFrom('connector_secret')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', connectorId)
    .execute();
}

export type NewConnectorRow = { id: string; definitionId: string; name: string; config: JsonObject; at: Date };

export async function insertConnector(tx: Tx, scope: TenantScope, connector: NewConnectorRow): Promise<void> {
  await tx
    .insertInto('connector')
    .values({
      id: connector.id,
      tenant_id: scope.tenantId,
      definition_id: connector.definitionId,
      name: connector.name,
      // One default per integration; a unique index holds the second of two that come at once.
      is_default: sql<boolean>`not exists (
        select from connector where tenant_id = ${scope.tenantId} and definition_id = ${connector.definitionId} and is_default
      )`,
      state: 'pending',
      config: JSON.stringify(connector.config),
      last_successful_connection: null,
      created_at: connector.at,
      updated_at: connector.at,
    })
    .execute();
}

/** Adds the secret of a field or replaces it. */
export async function putSecret(
  tx: Tx,
  scope: TenantScope,
  secret: { connectorId: string; field: string; sealed: SealedSecret; definitionVersion: string },
): Promise<void> {
  await tx
    .insertInto('connector_secret')
    .values({
      tenant_id: scope.tenantId,
      connector_id: secret.connectorId,
      field: secret.field,
      sealed: JSON.stringify(secret.sealed),
      definition_version: secret.definitionVersion,
    })
    .onConflict((conflict) =>
      conflict.columns(['connector_id', 'field']).doUpdateSet((row) => ({
        sealed: row.ref('excluded.sealed'),
        definition_version: row.ref('excluded.definition_version'),
      })),
    )
    .execute();
}

export type DataKeys = { wrapped: WrappedKey; previous: WrappedKey | null };

export async function findDataKeys(tx: Tx, scope: TenantScope): Promise<DataKeys | undefined> {
  return await tx
    .selectFrom('tenant_data_key')
    .select(['wrapped', 'previous'])
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirst();
}

/** Keeps the key that is already there: of two first uses at once, both end up with the same one. */
export async function lockDataKeys(tx: Tx, scope: TenantScope): Promise<DataKeys | undefined> {
  return await tx
    .selectFrom('tenant_data_key')
    .select(['wrapped', 'previous'])
    .where('tenant_id', '=', scope.tenantId)
    .forUpdate()
    .executeTakeFirst();
}

export async function replaceDataKey(
  tx: Tx,
  scope: TenantScope,
  { wrapped, previous }: { wrapped: WrappedKey; previous: WrappedKey },
): Promise<void> {
  await tx
    .updateTable('tenant_data_key')
    .set({ wrapped: JSON.stringify(wrapped), previous: JSON.stringify(previous) })
    .where('tenant_id', '=', scope.tenantId)
    .execute();
}

export async function keepDataKey(tx: Tx, scope: TenantScope, wrapped: WrappedKey): Promise<void> {
  await tx
    .insertInto('tenant_data_key')
    .values({ tenant_id: scope.tenantId, wrapped: JSON.stringify(wrapped) })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
}
