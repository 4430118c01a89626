import type { JsonObject } from '@airdeck/contracts/fields';
import type { DraftDefinition, PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { PlaybooksTables } from './playbooks-tables.ts';

export type DraftRow = Selectable<PlaybooksTables['playbook_draft']>;
export type VersionRow = Selectable<PlaybooksTables['playbook_version']>;
export type PlaybookRow = Selectable<PlaybooksTables['playbook']> & { has_draft: boolean };

/** A playbook as a list shows it: what is published, or of one that never was, the draft. */
export type ListedRow = PlaybookRow & { draft_definition: DraftDefinition | null };

/** Publishing, rolling back and deleting one after the other: what they check of other playbooks must stay true. */
export async function lockPlaybooks(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`playbook/${scope.tenantId}`}, 0))`.execute(tx);
}

/** By name. With `id` only that one. */
export async function listPlaybooks(
  tx: Tx,
  scope: TenantScope,
  which: { id?: string; limit: number },
): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select p.*, d.playbook_id is not null as has_draft,
      case when p.definition is null then d.definition end as draft_definition
    from playbook p left join playbook_draft d on d.tenant_id = p.tenant_id and d.playbook_id = p.id
    where p.tenant_id = ${scope.tenantId} ${which.id === undefined ? sql`` : sql`and p.id = ${which.id}`}
    order by lower(coalesce(p.definition, d.definition) #>> '{metadata,name}'), p.id
    limit ${which.limit}`.execute(tx);
  return rows;
}

/** Of those there are among `ids`. */
export async function presentPlaybooks(tx: Tx, scope: TenantScope, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('playbook')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function countPlaybooks(tx: Tx, scope: TenantScope): Promise<number> {
  const { count } = await tx
    .selectFrom('playbook')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

/** `lock`: nobody else changes it, nor its draft, until the transaction ends. */
export async function findPlaybook(
  tx: Tx,
  scope: TenantScope,
  id: string,
  { lock = false } = {},
): Promise<Selectable<PlaybooksTables['playbook']> | undefined> {
  const query = tx.selectFrom('playbook').selectAll().where('tenant_id', '=', scope.tenantId).where('id', '=', id);
  return await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst();
}

/** False when there already is one of that id. */
export async function insertPlaybook(
  tx: Tx,
  scope: TenantScope,
  playbook: {
    id: string;
    version: number;
    definition: PlaybookDefinition | null;
    requestHash: string | null;
    at: Date;
  },
): Promise<boolean> {
  const { id, version, definition, requestHash, at } = playbook;
  const result = await tx
    .insertInto('playbook')
    .values({
      id,
      tenant_id: scope.tenantId,
      version,
      definition: definition && JSON.stringify(definition),
      request_hash: requestHash,
      created_at: at,
      updated_at: at,
    })
    // Of any of its unique keys: which of them two inserts at once meet first is chance.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function removePlaybook(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('playbook').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

export async function findDraft(tx: Tx, scope: TenantScope, id: string): Promise<DraftRow | undefined> {
  return await tx
    .selectFrom('playbook_draft')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('playbook_id', '=', id)
    .executeTakeFirst();
}

/** Puts the draft in the place of the one before and gives it the next number. The playbook must be locked. */
export async function putDraft(
  tx: Tx,
  scope: TenantScope,
  id: string,
  draft: { definition: DraftDefinition; updated_at: Date; updated_by: string },
): Promise<DraftRow> {
  const { draft_revision: revision } = await tx
    .updateTable('playbook')
    .set((row) => ({ draft_revision: row('draft_revision', '+', 1), updated_at: draft.updated_at }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returning('draft_revision')
    .executeTakeFirstOrThrow();
  const values = { ...draft, definition: JSON.stringify(draft.definition), revision };
  return await tx
    .insertInto('playbook_draft')
    .values({ tenant_id: scope.tenantId, playbook_id: id, ...values })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'playbook_id']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function removeDraft(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('playbook_draft').where('tenant_id', '=', scope.tenantId).where('playbook_id', '=', id).execute();
}

/** Writes a version and makes it the one that runs. The playbook must be locked, unless it was just made. */
export async function addVersion(tx: Tx, scope: TenantScope, version: Omit<VersionRow, 'tenant_id'>): Promise<void> {
  const definition = JSON.stringify(version.definition);
  await tx
    .insertInto('playbook_version')
    .values({ ...version, tenant_id: scope.tenantId, definition })
    .execute();
  await tx
    .updateTable('playbook')
    .set({ version: version.version, definition, updated_at: version.published_at })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', version.playbook_id)
    .execute();
}

export async function findVersion(
  tx: Tx,
  scope: TenantScope,
  { id, version }: { id: string; version: number },
): Promise<VersionRow | undefined> {
  return await tx
    .selectFrom('playbook_version')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('playbook_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
}

/** Newest first: at most `limit`, and of long ones no more than `maxChars` together. */
export async function listVersions(
  tx: Tx,
  scope: TenantScope,
  id: string,
  { limit, maxChars }: { limit: number; maxChars: number },
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    with newest as (
      select *, sum(length(definition::text)) over (order by version desc) as chars from (
        select * from playbook_version where tenant_id = ${scope.tenantId} and playbook_id = ${id}
        order by version desc limit ${limit}) v)
    select tenant_id, playbook_id, version, definition, note, published_at, published_by
    from newest where chars <= ${maxChars} or version = (select max(version) from newest)
    order by version desc`.execute(tx);
  return rows;
}

/** A published playbook and the playbooks its actions start. */
export type PlaybookCalls = { id: string; name: string; calls: { action_id: string; playbook_id: string }[] };

/** All published playbooks of a tenant by id, in the order of their names. */
export async function publishedCalls(tx: Tx, scope: TenantScope): Promise<Map<string, PlaybookCalls>> {
  const { rows } = await sql<PlaybookCalls>`
    select p.id, p.definition #>> '{metadata,name}' as name, coalesce(c.calls, '[]'::jsonb) as calls
    from playbook p
    left join lateral (
      select jsonb_agg(jsonb_build_object('action_id', a ->> 'id', 'playbook_id', a ->> 'playbook_id')) as calls
      from jsonb_array_elements(p.definition -> 'actions') a where a ->> 'kind' = 'playbook') c on true
    where p.tenant_id = ${scope.tenantId} and p.version > 0
    order by 2`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Schemas of the inputs of published playbooks, by id. */
export async function publishedInputs(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<Map<string, JsonObject>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; inputs: JsonObject }>`
    select id, definition -> 'inputs' as inputs from playbook
    where tenant_id = ${scope.tenantId} and version > 0 and id = any(${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, inputs }) => [id, inputs]));
}
