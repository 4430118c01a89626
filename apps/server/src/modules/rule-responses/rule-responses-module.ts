import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { RuleResponses } from './rule-responses-port.ts';
import { insertRuleResponse, listRuleResponses, type RuleResponseRow } from './rule-responses-repository.ts';
import { createRuleResponses } from './rule-responses-service.ts';

/** Adds a response to a policy, in the caller's transaction. */
export type AddRuleResponse = typeof insertRuleResponse;

export type RuleResponsesModule = {
  responses: RuleResponses;
  add: AddRuleResponse;
  handlers: Handlers<'rule-responses.list'>;
};

export function createRuleResponsesModule(
  deps: { db: Database } & Parameters<typeof createRuleResponses>[0],
): RuleResponsesModule {
  return {
    responses: createRuleResponses(deps),
    add: insertRuleResponse,
    handlers: {
      'rule-responses.list': async ({ query }, { scope }) => {
        const rows = await deps.db.tenant(scope.tenantId, (tx) =>
          listRuleResponses(tx, scope, {
            ruleId: query.rule_id,
            responseName: query.response_name,
            limit: query.limit,
            offset: (query.page - 1) * query.limit,
          }),
        );
        return { responses: rows.map(onTheWire) };
      },
    },
  };
}

function onTheWire(row: RuleResponseRow): RuleResponse {
  const { tenant_id: _tenant, owner_user_id: _owner, updated_at, ...rest } = row;
  return { ...rest, updated_at: updated_at.toISOString() };
}
