import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import type { Selectable } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { RuleResponsesTables } from './rule-responses-tables.ts';

export type RuleResponseRow = Selectable<RuleResponsesTables['rule_response']>;

/** `owner_user_id`: whose rights its runs act with; null for what the product itself set up. */
export type NewRuleResponse = Omit<RuleResponse, 'updated_at'> & { owner_user_id: string | null };

export async function listRuleResponses(
  tx: Tx,
  scope: TenantScope,
  filter: { ruleId?: string | undefined; responseName?: string | undefined; limit: number; offset: number },
): Promise<RuleResponseRow[]> {
  let query = tx.selectFrom('rule_response').selectAll().where('tenant_id', '=', scope.tenantId);
  if (filter.ruleId !== undefined) query = query.where('rule_id', '=', filter.ruleId);
  if (filter.responseName !== undefined) query = query.where('response_name', '=', filter.responseName);
  return await query.orderBy('rule_id').orderBy('response_name').limit(filter.limit).offset(filter.offset).execute();
}

export async function enabledResponses(tx: Tx, scope: TenantScope, ruleId: string): Promise<RuleResponseRow[]> {
  return await tx
    .selectFrom('rule_response')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('rule_id', '=', ruleId)
    .where('enabled', '=', true)
    .orderBy('response_name')
    .execute();
}

export async function insertRuleResponse(
  tx: Tx,
  scope: TenantScope,
  response: NewRuleResponse & { updated_at: Date },
): Promise<void> {
  await tx
    .insertInto('rule_response')
    .values({
      tenant_id: scope.tenantId,
      rule_id: response.rule_id,
      response_name: response.response_name,
      response_type: response.response_type,
      definition_id: response.definition_id,
      connector_id: response.connector_id,
      inputs: JSON.stringify(response.inputs),
      enabled: response.enabled,
      created_by: response.created_by,
      owner_user_id: response.owner_user_id,
      updated_at: response.updated_at,
    })
    .execute();
}
