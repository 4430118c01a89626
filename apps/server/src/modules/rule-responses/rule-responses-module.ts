import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import { createCallLimit } from '../connectors/call-limit.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { type ChangeDependencies, createResponseChanges, noSuchResponse, wantedResponse } from './response-changes.ts';
import { createResponseCheck, type ResponseCheck } from './response-check.ts';
import type { ResponseExpressions } from './response-context.ts';
import { pageOfHistory, type ResponseKey } from './response-outcomes.ts';
import { createResponseTrial, type TrialDependencies } from './response-trial.ts';
import { responsesOnTheWire } from './response-view.ts';
import type { ClockResponses, RuleResponses, StartResponse } from './rule-responses-port.ts';
import {
  findPolicyName,
  insertRuleResponse,
  type ListFilter,
  type NewRuleResponse,
  pageOfResponses,
} from './rule-responses-repository.ts';
import { createResponseStart, createRuleResponses } from './rule-responses-service.ts';

/** By tenant and process. */
const TRIALS_PER_MINUTE = 60;

/** Adds a response to a policy, in the caller's transaction. */
export type AddRuleResponse = (
  tx: Tx,
  scope: TenantScope,
  response: NewRuleResponse,
  by: { actor: AuditActor; requestId: string | null },
) => Promise<void>;

type RouteIds =
  | 'rule-responses.list'
  | 'rule-responses.create'
  | 'rule-responses.dry-run'
  | 'rule-responses.replace'
  | 'rule-responses.switch'
  | 'rule-responses.delete'
  | 'rule-responses.order'
  | 'rule-responses.history';

type Dependencies = Parameters<typeof createRuleResponses>[0] &
  Omit<ChangeDependencies, 'check'> &
  Omit<TrialDependencies, 'check'> & {
    db: Pick<Database, 'tenant' | 'read'>;
    expressions: ResponseExpressions;
    keyedAnswers: Pick<KeyedAnswers, 'once' | 'answered'>;
    audit: Pick<AuditLog, 'record'>;
  };

export type RuleResponsesModule = {
  responses: RuleResponses & ClockResponses;
  /** For other things that answer by themselves, and the check of what they would start. */
  start: StartResponse;
  check: ResponseCheck;
  add: AddRuleResponse;
  handlers: Handlers<RouteIds>;
};

export function createRuleResponsesModule(deps: Dependencies): RuleResponsesModule {
  return {
    responses: createRuleResponses(deps),
    start: createResponseStart(deps),
    check: createResponseCheck(deps),
    async add(tx, scope, response, by) {
      const ruleName = (await findPolicyName(tx, scope, response.rule_id)) ?? '';
      await insertRuleResponse(tx, scope, { ...response, rule_name: ruleName, at: deps.now() });
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
    handlers: createHandlers(deps),
  };
}

function createHandlers(deps: Dependencies): Handlers<RouteIds> {
  const { db, now, keyedAnswers } = deps;
  const check = createResponseCheck(deps);
  const changes = createResponseChanges({ ...deps, check });
  const tryResponse = createResponseTrial({ ...deps, check });
  const mayTry = createCallLimit({ now, perMinute: TRIALS_PER_MINUTE });

  async function page(tx: Tx, scope: TenantScope, filter: ListFilter, limit: number, offset = 0) {
    const { rows, total } = await pageOfResponses(tx, scope, filter, { limit, offset });
    return { responses: await responsesOnTheWire({ ...deps, check }, tx, scope, rows), total };
  }

  async function one(tx: Tx, scope: TenantScope, key: ResponseKey): Promise<RuleResponse> {
    const found = await page(tx, scope, { ruleId: key.rule_id, responseName: key.response_name }, 1);
    const [response] = found.responses;
    if (response === undefined) throw noSuchResponse();
    return response;
  }

  /** Everything that can be known to be wrong before anybody is asked to confirm it. */
  async function checked(wanted: ReturnType<typeof wantedResponse>, context: TenantContext): Promise<string> {
    const { scope } = context;
    const { ruleName, question } = await db.read(scope.tenantId, (tx) => changes.check(tx, scope, wanted));
    if (question !== undefined) await context.confirm(question);
    return ruleName;
  }

  return {
    'rule-responses.list': ({ query }, { scope }) =>
      db.read(scope.tenantId, (tx) => {
        const filter = { ruleId: query.rule_id, responseName: query.response_name, q: query.q };
        return page(tx, scope, filter, query.limit, (query.page - 1) * query.limit);
      }),

    'rule-responses.create': async ({ body }, context) => {
      const { scope, caller, requestId } = context;
      const wanted = wantedResponse(body);
      const request = { route: 'rule-responses.create', tenant: scope.tenantId, context, asked: body } as const;
      const before = await db.read(scope.tenantId, (tx) => keyedAnswers.answered<RuleResponse>(tx, request));
      if (before !== undefined) return before;
      const ruleName = await checked(wanted, context);
      return await db.tenant(scope.tenantId, (tx) =>
        keyedAnswers.once(tx, request, async () => {
          await changes.create(tx, scope, wanted, ruleName, { caller, requestId });
          return await one(tx, scope, wanted);
        }),
      );
    },

    'rule-responses.replace': async ({ params, body }, context) => {
      const { scope, caller, requestId } = context;
      const { revision, ...rest } = body;
      const key = { rule_id: params.id, response_name: body.response_name };
      const { trigger, enabled } = await db.read(scope.tenantId, (tx) => changes.requireThere(tx, scope, key));
      const wanted = wantedResponse({ trigger, enabled, ...rest, rule_id: params.id });
      const ruleName = await checked(wanted, context);
      const stays = (['trigger', 'enabled'] as const).filter((name) => body[name] === undefined);
      return await db.tenant(scope.tenantId, async (tx) => {
        await changes.replace(tx, scope, { wanted, stays, ruleName, revision }, { caller, requestId });
        return await one(tx, scope, wanted);
      });
    },

    'rule-responses.switch': async ({ params, query, body }, context) => {
      const { scope, caller, requestId } = context;
      const key = { rule_id: params.id, response_name: query.response_name };
      const asked = await db.read(scope.tenantId, (tx) => changes.requireThere(tx, scope, key));
      if (body.enabled) await checked(wantedResponse({ ...asked, enabled: true }), context);
      return await db.tenant(scope.tenantId, async (tx) => {
        await changes.setEnabled(tx, scope, { asked, enabled: body.enabled }, { caller, requestId });
        return await one(tx, scope, key);
      });
    },

    'rule-responses.delete': async ({ params, query }, { scope, caller, requestId }) => {
      const key = { rule_id: params.id, response_name: query.response_name };
      await db.tenant(scope.tenantId, (tx) => changes.remove(tx, scope, key, { caller, requestId }));
      return undefined;
    },

    'rule-responses.order': ({ params, body }, { scope, caller, requestId }) =>
      db.tenant(scope.tenantId, async (tx) => {
        await changes.order(tx, scope, params.id, body.response_names, { caller, requestId });
        return await page(tx, scope, { ruleId: params.id }, body.response_names.length);
      }),

    'rule-responses.history': ({ params, query }, { scope }) =>
      db.read(scope.tenantId, async (tx) => {
        const key = { rule_id: params.id, response_name: query.response_name };
        await changes.requireThere(tx, scope, key);
        return await pageOfHistory(tx, scope, key, { limit: query.limit, offset: (query.page - 1) * query.limit });
      }),

    'rule-responses.dry-run': ({ body }, { scope, caller, raw }) => {
      if (!mayTry(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
      const idempotencyKey = idempotencyKeyOf(raw.request.headers);
      const trial = { wanted: wantedResponse(body.response), caseId: body.case_id, caller, idempotencyKey };
      return db.tenant(scope.tenantId, (tx) => tryResponse(tx, scope, trial));
    },
  };
}
