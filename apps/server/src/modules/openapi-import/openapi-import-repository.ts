import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { OpenapiIntegration } from './openapi-integration.ts';
import { operationKeyOf } from './openapi-request.ts';
import type { GivenVerb } from './openapi-verbs.ts';

/** Versions whose verbs are remembered: each has up to half a megabyte to look through. */
const REMEMBERED_VERSIONS = 50;

export type OwnIntegrationRow = {
  id: string;
  name: string;
  version: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
};
type Stored = OwnIntegrationRow & { definition: OpenapiIntegration };

/** Changes of a tenant's integrations one after the other: names and their number are checked before they are set. */
export async function lockIntegrations(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`own_integration/${scope.tenantId}`}, 0))`.execute(tx);
}

export async function findIntegration(tx: Tx, scope: TenantScope, id: string): Promise<OwnIntegrationRow | undefined> {
  return await tx
    .selectFrom('own_integration')
    .select(['id', 'name', 'version', 'created_by', 'created_at', 'updated_at'])
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function listIntegrations(tx: Tx, scope: TenantScope): Promise<OwnIntegrationRow[]> {
  return await tx
    .selectFrom('own_integration')
    .select(['id', 'name', 'version', 'created_by', 'created_at', 'updated_at'])
    .where('tenant_id', '=', scope.tenantId)
    .orderBy(sql`lower(name)`)
    .execute();
}

export async function definitionOf(
  tx: Tx,
  scope: TenantScope,
  { id, version }: { id: string; version: number },
): Promise<OpenapiIntegration> {
  const { definition } = await tx
    .selectFrom('own_integration_version')
    .select('definition')
    .where('tenant_id', '=', scope.tenantId)
    .where('integration_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return definition;
}

/** The verbs that an integration's operations were given, those of the newest version first. */
export async function givenVerbs(tx: Tx, scope: TenantScope, id: string): Promise<GivenVerb[]> {
  type Given = { verb: string; method: 'GET'; path: string };
  const { rows } = await sql<Given>`
    select a ->> 'verb' as verb, a #>> '{request,method}' as method, a #>> '{request,path}' as path
    from (
      select version, definition from own_integration_version
      where tenant_id = ${scope.tenantId} and integration_id = ${id}
      order by version desc limit ${REMEMBERED_VERSIONS}) v, jsonb_array_elements(v.definition -> 'actions') a
    order by v.version desc`.execute(tx);
  return rows.map(({ verb, ...request }) => ({ verb, operation: operationKeyOf(request) }));
}

export async function addIntegration(tx: Tx, scope: TenantScope, row: Stored): Promise<void> {
  const { definition: _definition, ...integration } = row;
  await tx
    .insertInto('own_integration')
    .values({ tenant_id: scope.tenantId, ...integration })
    .execute();
  await addVersion(tx, scope, row, row.created_by);
}

export async function replaceIntegration(tx: Tx, scope: TenantScope, row: Stored, by: string): Promise<void> {
  await tx
    .updateTable('own_integration')
    .set({ name: row.name, version: row.version, updated_at: row.updated_at })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', row.id)
    .execute();
  await addVersion(tx, scope, row, by);
}

async function addVersion(tx: Tx, scope: TenantScope, row: Stored, by: string): Promise<void> {
  await tx
    .insertInto('own_integration_version')
    .values({
      tenant_id: scope.tenantId,
      integration_id: row.id,
      version: row.version,
      definition: JSON.stringify(row.definition),
      created_by: by,
      created_at: row.updated_at,
    })
    .execute();
}

export async function removeIntegration(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('own_integration').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

/** Keeps the newest ones of a tenant. */
export async function addDocument(
  tx: Tx,
  scope: TenantScope,
  document: { id: string; content: Buffer; at: Date; keep: number },
): Promise<void> {
  const { id, content, at, keep } = document;
  await tx.insertInto('openapi_document').values({ id, tenant_id: scope.tenantId, content, created_at: at }).execute();
  await sql`
    delete from openapi_document where tenant_id = ${scope.tenantId} and id in (
      select id from openapi_document where tenant_id = ${scope.tenantId}
      order by created_at desc, id desc offset ${keep})`.execute(tx);
}

export async function findDocument(
  tx: Tx,
  scope: TenantScope,
  { id, since }: { id: string; since: Date },
): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('openapi_document')
    .select('content')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('created_at', '>', since)
    .executeTakeFirst();
  return row?.content;
}

/** Across tenants, for the hourly purge. */
export async function dropDocuments(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('openapi_document').where('created_at', '<=', before).execute();
}
