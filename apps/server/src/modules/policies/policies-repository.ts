import { limits } from '@airdeck/contracts/limits';
import type { PolicyOriginKind, PolicyRule, PolicyVersion } from '@airdeck/contracts/policies/schema';
import { storableJson, storableText } from '@airdeck/domain/storable-json';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { POLICIES_CHANNEL } from './policies-channel.ts';
import type { PoliciesTables } from './policies-tables.ts';
import { PACE_WINDOW_MS, type PolicyPace } from './policy-pace.ts';

export type PolicyRow = Selectable<PoliciesTables['policy']>;
export type VersionRow = Selectable<PoliciesTables['policy_version']>;

export type NewPolicy = {
  id: string;
  enabled: boolean;
  rule: PolicyRule;
  at: Date;
  origin: PolicyOriginKind;
  createdBy: string;
  requestHash?: string | null;
  publishedFrom?: string;
};

export async function findPolicy(
  tx: Tx,
  scope: TenantScope,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<PolicyRow | undefined> {
  const found = tx.selectFrom('policy').selectAll().where('tenant_id', '=', scope.tenantId).where('id', '=', id);
  return await (lock ? found.forNoKeyUpdate() : found).executeTakeFirst();
}

export async function countPolicies(tx: Tx, scope: TenantScope): Promise<number> {
  const { total } = await tx
    .selectFrom('policy')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
  return total;
}

/** Names of policies there are among the given ones, in lower case. */
export async function takenNames(
  tx: Tx,
  scope: TenantScope,
  { names, except }: { names: readonly string[]; except?: string },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    select lower(rule ->> 'name') as name from policy
    where tenant_id = ${scope.tenantId} and lower(rule ->> 'name') = any(${names}::text[])
      and id is distinct from ${except ?? null}::uuid`.execute(tx);
  return new Set(rows.map(({ name }) => name));
}

export async function policiesBySigmaId(tx: Tx, scope: TenantScope, ids: readonly string[]): Promise<PolicyRow[]> {
  if (ids.length === 0) return [];
  return await tx
    .selectFrom('policy')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('sigma_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The copy of a policy of another tenant, where there is one. */
export async function findCopy(
  tx: Tx,
  scope: TenantScope,
  publishedFrom: string,
  { lock }: { lock: boolean },
): Promise<PolicyRow | undefined> {
  return await tx
    .selectFrom('policy')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('published_from', '=', publishedFrom)
    .orderBy('created_at')
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** False when a policy has this id already. */
export async function insertPolicy(tx: Tx, scope: TenantScope, policy: NewPolicy): Promise<boolean> {
  const row = await tx
    .insertInto('policy')
    .values({
      id: policy.id,
      tenant_id: scope.tenantId,
      enabled: policy.enabled,
      rule: storableJson(policy.rule),
      last_opened_at: null,
      pace_from: null,
      created_at: policy.at,
      updated_at: policy.at,
      origin: policy.origin,
      created_by: policy.createdBy,
      updated_by: policy.createdBy,
      request_hash: policy.requestHash ?? null,
      published_from: policy.publishedFrom ?? null,
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Many policies at once, each with its first version. */
export async function insertPolicies(
  tx: Tx,
  scope: TenantScope,
  policies: readonly { id: string; enabled: boolean; rule: PolicyRule }[],
  made: { origin: PolicyOriginKind; change: PolicyVersion['change']; at: Date; by: string },
): Promise<void> {
  if (policies.length === 0) return;
  const rows = storableJson(policies.map(({ id, enabled, rule }) => ({ id, enabled, rule })));
  const { tenantId } = scope;
  const { origin, change, at, by } = made;
  await sql`
    with given as (
      select * from json_to_recordset(${rows}::json) as p ("id" uuid, "enabled" boolean, "rule" jsonb)
    ), added as (
      insert into policy (id, tenant_id, enabled, rule, created_at, updated_at, origin, created_by, updated_by)
      select id, ${tenantId}, enabled, rule, ${at}, ${at}, ${origin}, ${by}, ${by} from given
    )
    insert into policy_version (tenant_id, policy_id, version, change, note, enabled, rule, changed_at, changed_by)
    select ${tenantId}, id, 1, ${change}, '', enabled, rule, ${at}, ${by} from given`.execute(tx);
}

export type PolicyChange = {
  id: string;
  enabled?: boolean | undefined;
  rule?: PolicyRule | undefined;
  overridden?: boolean | undefined;
  at: Date;
  by: string;
};

export async function updatePolicy(tx: Tx, scope: TenantScope, change: PolicyChange): Promise<PolicyRow | undefined> {
  const rule = change.rule === undefined ? undefined : storableJson(change.rule);
  return await tx
    .updateTable('policy')
    .set((e) => ({
      ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
      ...(rule === undefined ? {} : { rule, counts_from: countsFromAfter(rule) }),
      ...(change.overridden === undefined ? {} : { overridden: change.overridden }),
      // Whoever changes or switches it has seen what it does.
      ...{ pace_from: null, pace_cases: 0 },
      version: e('version', '+', 1),
      updated_at: change.at,
      updated_by: change.by,
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', change.id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * What waits for its group to fill was matched by another rule, and as steps of other numbers, unless the change leaves alone
 * which events match and as what. By the clock that stamps matches.
 */
function countsFromAfter(rule: string) {
  const matching = (of: RawBuilder<unknown>) =>
    sql`((${of}) -> 'logic') - 'suppress_for_s' #- '{threshold,count}' #- '{threshold,within_s}' #- '{sequence,within_s}' #- '{sequence,any_order}'`;
  const after = matching(sql`${rule}::jsonb`);
  return sql<Date | null>`case when ${matching(sql`rule`)} = ${after} then counts_from else now() end`;
}

export async function deletePolicy(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('policy').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

/** Writes down what the policy is now; the oldest of too many versions goes. */
export async function keepVersion(
  tx: Tx,
  scope: TenantScope,
  version: Pick<PolicyVersion, 'version' | 'change' | 'note' | 'enabled' | 'rule'> & {
    policyId: string;
    at: Date;
    by: string;
  },
): Promise<void> {
  const { policyId, version: number } = version;
  await tx
    .insertInto('policy_version')
    .values({
      ...{ tenant_id: scope.tenantId, policy_id: policyId, version: number, change: version.change },
      ...{ note: storableText(version.note), enabled: version.enabled, rule: storableJson(version.rule) },
      ...{ changed_at: version.at, changed_by: version.by },
    })
    .execute();
  if (number <= limits.policyVersionsKept) return;
  await tx
    .deleteFrom('policy_version')
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', policyId)
    .where('version', '<=', number - limits.policyVersionsKept)
    .execute();
}

/** Newest first; fewer than `limit` when their rules are longer than `maxChars` together. */
export async function listVersions(
  tx: Tx,
  scope: TenantScope,
  { id, limit, maxChars }: { id: string; limit: number; maxChars: number },
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select tenant_id, policy_id, version, change, note, enabled, rule, changed_at, changed_by from (
      select *, sum(length(rule::text)) over (order by version desc) as chars from (
        select * from policy_version where tenant_id = ${scope.tenantId} and policy_id = ${id}
        order by version desc limit ${limit}) v) v
    where chars <= ${maxChars} order by version desc`.execute(tx);
  return rows;
}

export async function findVersion(
  tx: Tx,
  scope: TenantScope,
  { id, version }: { id: string; version: number },
): Promise<VersionRow | undefined> {
  return await tx
    .selectFrom('policy_version')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
}

export async function putSourceTexts(
  tx: Tx,
  scope: TenantScope,
  texts: readonly { policyId: string; file: string; text: string }[],
): Promise<void> {
  if (texts.length === 0) return;
  await sql`
    insert into policy_source_text (tenant_id, policy_id, format, file, text)
    select ${scope.tenantId}, t."policyId", 'sigma', t."file", t."text"
    from json_to_recordset(${storableJson(texts)}::json) as t ("policyId" uuid, "file" text, "text" text)
    on conflict (tenant_id, policy_id) do update set file = excluded.file, text = excluded.text`.execute(tx);
}

export async function findSourceText(tx: Tx, scope: TenantScope, policyId: string) {
  return await tx
    .selectFrom('policy_source_text')
    .select(['format', 'file', 'text'])
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', policyId)
    .executeTakeFirst();
}

/**
 * Counts the tenant's set of policies up and tells every process at commit. The row stays locked until then: whoever
 * changes policies calls this first, so that two who give the same name see each other.
 */
export async function announcePolicyChange(tx: Tx, scope: TenantScope): Promise<void> {
  await tx
    .insertInto('policy_set')
    .values({ tenant_id: scope.tenantId })
    .onConflict((on) => on.column('tenant_id').doUpdateSet((e) => ({ version: e('policy_set.version', '+', 1) })))
    .execute();
  await sql`select pg_notify(${POLICIES_CHANNEL}, ${scope.tenantId})`.execute(tx);
}

export async function policySetVersion(tx: Tx, scope: TenantScope): Promise<number> {
  const row = await tx
    .selectFrom('policy_set')
    .select('version')
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirst();
  return row?.version ?? 0;
}

export async function enabledPolicies(tx: Tx, scope: TenantScope): Promise<Pick<PolicyRow, 'id' | 'rule'>[]> {
  return await tx
    .selectFrom('policy')
    .select(['id', 'rule'])
    .where('tenant_id', '=', scope.tenantId)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
}

/**
 * Across tenants, for ingestion's batches; the caller compares `tenant_id`. None of them can be deleted before the
 * transaction ends; changing them stays possible.
 */
export async function policiesByIds(
  tx: Tx,
  ids: readonly string[],
): Promise<Pick<PolicyRow, 'id' | 'tenant_id' | 'enabled' | 'rule' | 'pace_from' | 'pace_cases' | 'counts_from'>[]> {
  return await tx
    .selectFrom('policy')
    .select(['id', 'tenant_id', 'enabled', 'rule', 'pace_from', 'pace_cases', 'counts_from'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forKeyShare()
    .execute();
}

/** Returns its pace with this case, which others cannot change until the transaction ends. */
export async function setLastOpened(
  tx: Tx,
  scope: TenantScope,
  { id, at }: { id: string; at: Date },
): Promise<PolicyPace> {
  const goesOn = sql<boolean>`pace_from > ${new Date(at.getTime() - PACE_WINDOW_MS)}`;
  const row = await tx
    .updateTable('policy')
    .set({
      last_opened_at: at,
      pace_from: sql<Date>`case when ${goesOn} then pace_from else ${at}::timestamptz end`,
      pace_cases: sql<number>`case when ${goesOn} then pace_cases + 1 else 1 end`,
    })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returning(['pace_from as from', 'pace_cases as cases'])
    .executeTakeFirst();
  return row ?? { from: null, cases: 0 };
}
