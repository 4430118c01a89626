import type { Role } from '@airdeck/contracts/access/roles';
import type { AutomationResponse } from '@airdeck/contracts/automation-rules/schema';
import { storableText } from '@airdeck/domain/storable-json';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AutomationRulesTables } from './automation-rules-tables.ts';

export type RuleRow = Selectable<AutomationRulesTables['automation_rule']>;

/** A rule with what it refers to, as that stands now. */
export type ListedRule = RuleRow & {
  connector_name: string | null;
  /** What the owner is in the tenant now. */
  owner_role: Role | null;
};

const MAX_SEARCH_WORDS = 10;

/** By name. */
export async function pageOfRules(
  tx: Tx,
  scope: TenantScope,
  { q = '', id }: { q?: string | undefined; id?: string },
  page: { limit: number; offset: number },
): Promise<ListedRule[]> {
  const { rows } = await sql<ListedRule>`
    select r.*, c.name as connector_name,
      (select m.role from membership m join app_user u on u.id = m.user_id
        where m.tenant_id = r.tenant_id and m.user_id = r.owner_user_id and u.status = 'active') as owner_role
    from automation_rule r
    left join connector c on c.tenant_id = r.tenant_id and c.id = r.connector_id
    where ${sql.join(conditionsOf(scope, { q, id }), sql` and `)}
    order by lower(r.name), r.id
    limit ${page.limit} offset ${page.offset}`.execute(tx);
  return rows;
}

/** Responses are searched by their own names, the names of their actions, and those of their playbooks. */
function conditionsOf(scope: TenantScope, { q, id }: { q: string; id: string | undefined }): RawBuilder<unknown>[] {
  const conditions = [sql`r.tenant_id = ${scope.tenantId}`];
  if (id !== undefined) conditions.push(sql`r.id = ${id}`);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
  for (const word of words) {
    const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(lower(concat_ws(' ', r.name, r.definition_title)) like ${pattern}
      or exists (select from jsonb_array_elements(r.responses) s
        left join playbook p on p.tenant_id = r.tenant_id and p.id::text = s ->> 'playbook_id'
        where lower(concat_ws(' ', s ->> 'name', translate(s ->> 'action_name', '._', '  '),
          p.definition #>> '{metadata,name}')) like ${pattern}))`);
  }
  return conditions;
}

/** Changes of a tenant's rules one after the other: their number and their source are checked before they are set. */
export async function lockRules(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`automation-rules/${scope.tenantId}`}, 0))`.execute(tx);
}

export async function countRules(tx: Tx, scope: TenantScope): Promise<number> {
  const { count } = await tx
    .selectFrom('automation_rule')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findRule(tx: Tx, scope: TenantScope, id: string): Promise<RuleRow | undefined> {
  return await tx
    .selectFrom('automation_rule')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function lockRule(tx: Tx, scope: TenantScope, id: string): Promise<RuleRow | undefined> {
  return await tx
    .selectFrom('automation_rule')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

type NewRule = Omit<Insertable<AutomationRulesTables['automation_rule']>, 'tenant_id' | 'responses'> & {
  responses: readonly AutomationResponse[];
};

export async function insertRule(tx: Tx, scope: TenantScope, rule: NewRule): Promise<void> {
  await tx
    .insertInto('automation_rule')
    .values({
      ...rule,
      tenant_id: scope.tenantId,
      definition_title: storableText(rule.definition_title),
      responses: JSON.stringify(rule.responses),
    })
    .execute();
}

export type RuleChange = Omit<Updateable<AutomationRulesTables['automation_rule']>, 'responses'> & {
  responses?: readonly AutomationResponse[] | undefined;
};

export async function changeRule(
  tx: Tx,
  scope: TenantScope,
  id: string,
  { responses, ...change }: RuleChange,
): Promise<void> {
  const { notification_id: notificationId, notification_reason: reason, definition_title: title, ...rest } = change;
  await tx
    .updateTable('automation_rule')
    .set({
      ...rest,
      ...(notificationId === undefined ? {} : { notification_id: notificationId && storableText(notificationId) }),
      ...(title === undefined ? {} : { definition_title: storableText(title) }),
      ...(reason === undefined ? {} : { notification_reason: reason === null ? null : storableText(reason) }),
      ...(responses === undefined ? {} : { responses: JSON.stringify(responses) }),
    })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .execute();
}

/** Asks for work on the notifications of these rules: whatever is under way settles nothing any more. */
export async function askForWork(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
  wish: { rewrite?: boolean; deleting?: true } = {},
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('automation_rule')
    .set((e) => ({
      ...(wish.deleting === undefined ? {} : { deleting: true }),
      ...(wish.rewrite === true ? { rewrite: true } : {}),
      notification_state: 'working' as const,
      notification_reason: null,
      work_version: e('work_version', '+', 1),
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', [...ids])
    .execute();
}

export async function deleteRule(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('automation_rule').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

export async function rulesOfConnector(tx: Tx, scope: TenantScope, connectorId: string): Promise<RuleRow[]> {
  return await tx
    .selectFrom('automation_rule')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', connectorId)
    .orderBy('id')
    .execute();
}

/** Ids of those nobody is deleting. */
export async function standingRules(tx: Tx, scope: TenantScope): Promise<string[]> {
  const rows = await tx
    .selectFrom('automation_rule')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('deleting', '=', false)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** In a system transaction: whose Graylog is to be looked at again, in the order of their ids, `after` one of them. */
export async function connectorsWithRules(
  tx: Tx,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<{ tenant_id: string; connector_id: string }[]> {
  return await tx
    .selectFrom('automation_rule as r')
    .innerJoin('connector as c', (on) =>
      on.onRef('c.tenant_id', '=', 'r.tenant_id').onRef('c.id', '=', 'r.connector_id'),
    )
    .select(['r.tenant_id', 'r.connector_id'])
    .$if(after !== undefined, (query) => query.where('r.connector_id', '>', after ?? ''))
    .distinct()
    .orderBy('r.connector_id')
    .limit(limit)
    .execute();
}
