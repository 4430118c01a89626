import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { storableJson } from '@airdeck/domain/storable-json';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { POLICIES_CHANNEL } from './policies-channel.ts';
import type { PoliciesTables } from './policies-tables.ts';

export type PolicyRow = Selectable<PoliciesTables['policy']>;

export async function pageOfPolicies(
  tx: Tx,
  scope: TenantScope,
  page: { limit: number; offset: number },
): Promise<{ rows: PolicyRow[]; total: number }> {
  const own = tx.selectFrom('policy').where('tenant_id', '=', scope.tenantId);
  const rows = await own
    .selectAll()
    .orderBy(sql`lower(rule ->> 'name')`)
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await own.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

export async function findPolicy(tx: Tx, scope: TenantScope, id: string): Promise<PolicyRow | undefined> {
  return await tx
    .selectFrom('policy')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertPolicy(
  tx: Tx,
  scope: TenantScope,
  policy: { id: string; enabled: boolean; rule: PolicyRule; at: Date },
): Promise<void> {
  await tx
    .insertInto('policy')
    .values({
      id: policy.id,
      tenant_id: scope.tenantId,
      enabled: policy.enabled,
      rule: storableJson(policy.rule),
      last_opened_at: null,
      created_at: policy.at,
      updated_at: policy.at,
    })
    .execute();
}

export async function updatePolicy(
  tx: Tx,
  scope: TenantScope,
  change: { id: string; enabled: boolean | undefined; rule: PolicyRule | undefined; at: Date },
): Promise<PolicyRow | undefined> {
  return await tx
    .updateTable('policy')
    .set((e) => ({
      ...(change.enabled === undefined ? {} : { enabled: change.enabled }),
      ...(change.rule === undefined ? {} : { rule: storableJson(change.rule) }),
      version: e('version', '+', 1),
      updated_at: change.at,
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', change.id)
    .returningAll()
    .executeTakeFirst();
}

/** Counts the tenant's set of policies up and tells every process at commit. */
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

export async function enabledPolicies(tx: Tx, scope: TenantScope): Promise<PolicyRow[]> {
  return await tx
    .selectFrom('policy')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('enabled', '=', true)
    .orderBy('id')
    .execute();
}

/**
 * Across tenants, for ingestion's batches; the caller compares `tenant_id`. None of them can be deleted before the
 * transaction ends; changing them stays possible.
 */
export async function policiesByIds(tx: Tx, ids: readonly string[]): Promise<PolicyRow[]> {
  return await tx.selectFrom('policy').selectAll().where('id', 'in', ids).orderBy('id').forKeyShare().execute();
}

export async function setLastOpened(tx: Tx, scope: TenantScope, opened: { id: string; at: Date }): Promise<void> {
  await tx
    .updateTable('policy')
    .set({ last_opened_at: opened.at })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', opened.id)
    .execute();
}
