import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import type { RuleResponses } from './rule-responses-port.ts';
import {
  insertRuleResponse,
  listRuleResponses,
  type NewRuleResponse,
  type RuleResponseRow,
} from './rule-responses-repository.ts';
import { createRuleResponses } from './rule-responses-service.ts';

/** Adds a response to a policy, in the caller's transaction. */
export type AddRuleResponse = (
  tx: Tx,
  scope: TenantScope,
  response: NewRuleResponse,
  by: { actor: AuditActor; requestId: string | null },
) => Promise<void>;

type Dependencies = Parameters<typeof createRuleResponses>[0] & {
  db: Database;
  now: () => Date;
  audit: Pick<AuditLog, 'record'>;
};

export type RuleResponsesModule = {
  responses: RuleResponses;
  add: AddRuleResponse;
  handlers: Handlers<'rule-responses.list'>;
};

export function createRuleResponsesModule(deps: Dependencies): RuleResponsesModule {
  return {
    responses: createRuleResponses(deps),
    async add(tx, scope, response, by) {
      await insertRuleResponse(tx, scope, { ...response, updated_at: deps.now() });
      await deps.audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'rule_response.create',
        target: { kind: 'policy', id: response.rule_id },
        outcome: 'ok',
        data: { response_name: response.response_name, definition_id: response.definition_id },
        request_id: by.requestId,
      });
    },
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
