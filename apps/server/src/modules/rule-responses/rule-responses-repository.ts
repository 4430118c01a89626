import type { Role } from '@airdeck/contracts/access/roles';
import type { ConnectorState } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { ResponseTrigger } from '@airdeck/contracts/rule-responses/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ResponseKey } from './response-outcomes.ts';
import type { RuleResponsesTables } from './rule-responses-tables.ts';

export type RuleResponseRow = Selectable<RuleResponsesTables['rule_response']>;

/** `owner_user_id`: whose rights its runs act with; null for what the product itself set up. */
export type NewRuleResponse = {
  rule_id: string;
  response_name: string;
  response_type: 'action' | 'playbook';
  trigger?: ResponseTrigger;
  definition_id: string;
  connector_id: string | null;
  inputs: JsonObject;
  conditions?: string | null;
  enabled: boolean;
  created_by: string;
  owner_user_id: string | null;
};

/** A response with what it refers to, as that stands now. */
export type ListedResponse = RuleResponseRow & {
  policy_name: string | null;
  policy_enabled: boolean | null;
  policy_severity: CaseSeverity | null;
  playbook_name: string | null;
  /** Null for a playbook that is only a draft, and for actions. */
  playbook_version: number | null;
  playbook_inputs: JsonObject | null;
  connector_name: string | null;
  connector_enabled: boolean | null;
  connector_state: ConnectorState | null;
  /** Whether the integration of its action has a connector that is used when none is named. */
  has_default: boolean;
  /** What the owner is in the tenant now. */
  owner_role: Role | null;
};

export type ListFilter = {
  ruleId?: string | undefined;
  responseName?: string | undefined;
  q?: string | undefined;
};

const MAX_SEARCH_WORDS = 10;

/** By the name of the policy, then in the order in which they start. */
export async function pageOfResponses(
  tx: Tx,
  scope: TenantScope,
  filter: ListFilter,
  page: { limit: number; offset: number },
): Promise<{ rows: ListedResponse[]; total: number }> {
  const wanted = conditionOf(scope, filter);
  const { rows } = await sql<ListedResponse>`
    select r.*, p.rule ->> 'name' as policy_name, p.enabled as policy_enabled, p.rule ->> 'severity' as policy_severity,
      ${playbookName} as playbook_name, b.definition -> 'inputs' as playbook_inputs,
      case when b.definition is null then null else b.version end as playbook_version,
      c.name as connector_name, c.enabled as connector_enabled, c.state as connector_state,
      r.response_type = 'action' and exists (select from connector d
        where d.tenant_id = r.tenant_id and d.definition_id = split_part(r.definition_id, '.', 1)
          and d.is_default and d.enabled and d.state <> 'paused') as has_default,
      (select m.role from membership m join app_user u on u.id = m.user_id
        where m.tenant_id = r.tenant_id and m.user_id = r.owner_user_id and u.status = 'active') as owner_role
    from ${tables}
    left join connector c on c.tenant_id = r.tenant_id and c.id = r.connector_id
    where ${wanted}
    order by lower(coalesce(p.rule ->> 'name', r.rule_name)), r.rule_id, r.position, r.response_name
    limit ${page.limit} offset ${page.offset}`.execute(tx);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from ${tables} where ${wanted}`.execute(tx);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

const playbookName = sql`coalesce(b.definition #>> '{metadata,name}', f.definition #>> '{metadata,name}')`;

/** Policies and playbooks may be gone. */
const tables = sql`rule_response r
  left join policy p on p.tenant_id = r.tenant_id and p.id = r.rule_id
  left join playbook b on b.tenant_id = r.tenant_id and r.response_type = 'playbook' and b.id::text = r.definition_id
  left join playbook_draft f on f.tenant_id = b.tenant_id and f.playbook_id = b.id`;

function conditionOf(scope: TenantScope, { ruleId, responseName, q = '' }: ListFilter): RawBuilder<unknown> {
  const conditions = [sql`r.tenant_id = ${scope.tenantId}`];
  if (ruleId !== undefined) conditions.push(sql`r.rule_id = ${ruleId}`);
  if (responseName !== undefined) conditions.push(sql`r.response_name = ${responseName}`);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_SEARCH_WORDS);
  for (const word of words) {
    const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`lower(concat_ws(' ', r.response_name, coalesce(p.rule ->> 'name', r.rule_name), ${playbookName},
      case when r.response_type = 'action' then translate(r.definition_id, '._', '  ') end)) like ${pattern}`);
  }
  return sql.join(conditions, sql` and `);
}

/** Those of a policy that answer this, in the order in which they start. */
export async function enabledResponses(
  tx: Tx,
  scope: TenantScope,
  { ruleId, trigger }: { ruleId: string; trigger: ResponseTrigger },
): Promise<RuleResponseRow[]> {
  return await tx
    .selectFrom('rule_response')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', ruleId)
    .where('trigger', '=', trigger)
    .where('enabled', '=', true)
    .orderBy('position')
    .orderBy('response_name')
    .execute();
}

/** Changes of a policy's responses one after the other, so that names, order and number are checked before they are set. */
export async function lockResponses(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rule-responses/${scope.tenantId}`}, 0))`.execute(tx);
}

export async function countResponses(
  tx: Tx,
  scope: TenantScope,
  ruleId: string,
): Promise<{ ofPolicy: number; ofTenant: number }> {
  const { rows } = await sql<{ ofPolicy: number; ofTenant: number }>`
    select count(*) filter (where rule_id = ${ruleId})::int as "ofPolicy", count(*)::int as "ofTenant"
    from rule_response where tenant_id = ${scope.tenantId}`.execute(tx);
  return rows[0] ?? { ofPolicy: 0, ofTenant: 0 };
}

/** Undefined when there is no such policy in the tenant. */
export async function findPolicyName(tx: Tx, scope: TenantScope, ruleId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select rule ->> 'name' as name from policy where tenant_id = ${scope.tenantId} and id = ${ruleId}`.execute(tx);
  return rows[0]?.name;
}

export async function findResponse(tx: Tx, scope: TenantScope, key: ResponseKey): Promise<RuleResponseRow | undefined> {
  return await tx
    .selectFrom('rule_response')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', key.rule_id)
    .where('response_name', '=', key.response_name)
    .executeTakeFirst();
}

/** Behind those the policy has; false when it has one of that name. */
export async function insertRuleResponse(
  tx: Tx,
  scope: TenantScope,
  response: NewRuleResponse & { rule_name: string; at: Date },
): Promise<boolean> {
  const { rule_id: ruleId, inputs, at, response_name: name, conditions, rule_name: ruleName, ...rest } = response;
  const inserted = await tx
    .insertInto('rule_response')
    .values({
      ...rest,
      tenant_id: scope.tenantId,
      rule_id: ruleId,
      response_name: name,
      rule_name: ruleName,
      inputs: JSON.stringify(inputs),
      conditions: conditions ?? null,
      position: sql<number>`(select coalesce(max(position) + 1, 0) from rule_response
        where tenant_id = ${scope.tenantId} and rule_id = ${ruleId})`,
      updated_by: response.created_by,
      updated_at: at,
    })
    .onConflict((on) => on.doNothing())
    .returning('response_name')
    .executeTakeFirst();
  return inserted !== undefined;
}

type ResponseChange = Partial<
  Pick<
    RuleResponseRow,
    'response_type' | 'trigger' | 'definition_id' | 'connector_id' | 'conditions' | 'enabled' | 'rule_name'
  >
> & {
  inputs?: JsonObject;
  /** Whose rights it acts with from now on. */
  by: { username: string; userId: string };
  at: Date;
};

export async function changeResponse(
  tx: Tx,
  scope: TenantScope,
  key: ResponseKey,
  { inputs, by, at, ...set }: ResponseChange,
): Promise<void> {
  await tx
    .updateTable('rule_response')
    .set((e) => ({
      ...set,
      ...(inputs === undefined ? {} : { inputs: JSON.stringify(inputs) }),
      updated_by: by.username,
      owner_user_id: by.userId,
      updated_at: at,
      revision: e('revision', '+', 1),
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', key.rule_id)
    .where('response_name', '=', key.response_name)
    .execute();
}

export async function deleteResponse(tx: Tx, scope: TenantScope, key: ResponseKey): Promise<void> {
  await tx
    .deleteFrom('rule_response')
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', key.rule_id)
    .where('response_name', '=', key.response_name)
    .execute();
}

export async function namesInOrder(tx: Tx, scope: TenantScope, ruleId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('rule_response')
    .select('response_name')
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', ruleId)
    .orderBy('position')
    .orderBy('response_name')
    .execute();
  return rows.map(({ response_name: name }) => name);
}

/** Who acts stays as it is: only the order changes. */
export async function setOrder(tx: Tx, scope: TenantScope, ruleId: string, names: readonly string[]): Promise<void> {
  await sql`
    update rule_response r set position = n.position - 1, revision = r.revision + 1
    from unnest(${[...names]}::text[]) with ordinality as n (name, position)
    where r.tenant_id = ${scope.tenantId} and r.rule_id = ${ruleId} and r.response_name = n.name
      and r.position <> n.position - 1`.execute(tx);
}
