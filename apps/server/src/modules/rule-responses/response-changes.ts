/**
 * How people set up what policies start. Whoever saves a response answers for it: it acts with that person's rights from
 * then on, and stops acting when they are taken away.
 */
import { createHash } from 'node:crypto';
import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { auditVerbs } from '@airdeck/contracts/audit/actions';
import type { ErrorDetailBody } from '@airdeck/contracts/error-codes';
import type { JsonObject } from '@airdeck/contracts/fields';
import { limits } from '@airdeck/contracts/limits';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { ResponseTrigger, RuleResponseCreate } from '@airdeck/contracts/rule-responses/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import type { Question } from '../../http/confirmation.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import { destroyQuestion } from '../activity/destroy-question.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ConnectorsService } from '../connectors/connectors-service.ts';
import type { RunnablePlaybooks } from '../playbooks/playbooks-port.ts';
import type { ResponseCheck } from './response-check.ts';
import { deleteOutcomes, type ResponseKey } from './response-outcomes.ts';
import {
  changeResponse,
  countResponses,
  deleteResponse,
  findPolicyName,
  findResponse,
  insertRuleResponse,
  lockResponses,
  namesInOrder,
  type RuleResponseRow,
  setOrder,
} from './rule-responses-repository.ts';

export type ChangeDependencies = {
  actions: Pick<ActionCatalogue, 'find'>;
  connectors: Pick<ConnectorsService, 'exists'>;
  playbooks: Pick<RunnablePlaybooks, 'getForRun'>;
  check: ResponseCheck;
  audit: Pick<AuditLog, 'record'>;
  now: () => Date;
};

type ChangedBy = { caller: Caller; requestId: string };

/** A response as somebody wants it, with everything left out filled in. */
export type WantedResponse = {
  rule_id: string;
  response_name: string;
  response_type: 'action' | 'playbook';
  trigger: ResponseTrigger;
  definition_id: string;
  connector_id: string | null;
  inputs: JsonObject;
  conditions: string | null;
  enabled: boolean;
};

/** `stays`: what the change left out, which is in `wanted` as it was read. */
type Replacement = {
  wanted: WantedResponse;
  stays: readonly ('trigger' | 'enabled')[];
  ruleName: string;
  revision: number | undefined;
};

/** What was checked, and what has to be asked before it is saved: something that destroys would run by itself. */
type Checked = { ruleName: string; question: Question | undefined };

export function wantedResponse(body: Omit<RuleResponseCreate, 'enabled'> & { enabled?: boolean | undefined }) {
  const { rule_id, response_name, response_type, definition_id, inputs } = body;
  return {
    ...{ rule_id, response_name, response_type, definition_id, inputs },
    trigger: body.trigger ?? 'case_opened',
    // A playbook's own actions name their connectors.
    connector_id: response_type === 'playbook' ? null : (body.connector_id ?? null),
    conditions: body.conditions == null || body.conditions === '' ? null : body.conditions,
    enabled: body.enabled ?? true,
  } satisfies WantedResponse;
}

export function createResponseChanges(deps: ChangeDependencies) {
  const { now } = deps;

  async function checkAction(tx: Tx, scope: TenantScope, wanted: WantedResponse): Promise<ActionDefinition> {
    const action = await deps.actions.find(wanted.definition_id, tx, scope);
    if (!action) throw new AppError('NOT_FOUND', { message: 'This action does not exist.' });
    if (wanted.connector_id !== null) {
      const connector = { definitionId: action.definition_id, connectorId: wanted.connector_id };
      if (!(await deps.connectors.exists(tx, scope, connector))) {
        throw new AppError('NOT_FOUND', { message: 'This connector does not exist for this action.' });
      }
    }
    refuseProblems(deps.check.actionInputs(action, wanted.inputs));
    return action;
  }

  async function record(
    tx: Tx,
    scope: TenantScope,
    { caller, requestId }: ChangedBy,
    entry: { action: (typeof auditVerbs)['rule_response'][number]; ruleId: string; data: Record<string, unknown> },
  ): Promise<void> {
    await deps.audit.record(tx, {
      tenant: scope.tenantId,
      actor: auditActor(caller),
      action: `rule_response.${entry.action}`,
      target: { kind: 'policy', id: entry.ruleId },
      outcome: 'ok',
      data: entry.data,
      request_id: requestId,
    });
  }

  return {
    /** Throws NOT_FOUND, PLAYBOOK_NOT_PUBLISHED and VALIDATION_FAILED for what could never work. */
    async check(tx: Tx, scope: TenantScope, wanted: WantedResponse): Promise<Checked> {
      const ruleName = await findPolicyName(tx, scope, wanted.rule_id);
      if (ruleName === undefined) throw new AppError('NOT_FOUND', { message: 'This policy does not exist.' });
      refuseProblems(deps.check.expressionProblems(wanted));
      if (wanted.response_type === 'playbook') {
        const playbook = await deps.playbooks.getForRun(tx, scope, wanted.definition_id);
        const key = `${wanted.definition_id} ${playbook.version}`;
        refuseProblems(deps.check.playbookInputs(key, playbook.definition.inputs, wanted.inputs));
        return { ruleName, question: undefined };
      }
      const action = await checkAction(tx, scope, wanted);
      return { ruleName, question: questionOf(action, wanted, ruleName) };
    },

    async create(tx: Tx, scope: TenantScope, wanted: WantedResponse, ruleName: string, by: ChangedBy): Promise<void> {
      await lockResponses(tx, scope);
      const { ofPolicy, ofTenant } = await countResponses(tx, scope, wanted.rule_id);
      if (ofPolicy >= limits.ruleResponsesPerPolicy || ofTenant >= serverLimits.ruleResponsesMax) {
        const most =
          ofPolicy >= limits.ruleResponsesPerPolicy ? limits.ruleResponsesPerPolicy : serverLimits.ruleResponsesMax;
        throw new AppError('CONFLICT', refusal('AUTOMATIONS_TOO_MANY', { maximum: most }));
      }
      const { username, userId } = by.caller;
      const response = { ...wanted, rule_name: ruleName, created_by: username, owner_user_id: userId, at: now() };
      if (!(await insertRuleResponse(tx, scope, response))) {
        throw new AppError('CONFLICT', refusal('AUTOMATION_NAME_TAKEN', { name: wanted.response_name }));
      }
      await record(tx, scope, by, { action: 'create', ruleId: wanted.rule_id, data: facts(wanted) });
    },

    /** Throws NOT_FOUND, and CONFLICT naming what changed when the response is not as `revision` was. */
    async replace(
      tx: Tx,
      scope: TenantScope,
      { wanted, stays, ruleName, revision }: Replacement,
      by: ChangedBy,
    ): Promise<void> {
      await lockResponses(tx, scope);
      const before = await requireThere(tx, scope, wanted);
      const changed = changedParts(before, wanted);
      if (revision !== undefined && revision !== before.revision) {
        throw new AppError('CONFLICT', {
          ...refusal('AUTOMATION_CHANGED', { who: before.updated_by }),
          details: changed.map((path) => ({ path: `body.${path}`, ...refusal('FIELD_DIFFERENT_NOW') })),
        });
      }
      // Nobody was asked about what it does when it starts otherwise than it did.
      if (stays.some((name) => wanted[name] !== before[name])) {
        throw new AppError('CONFLICT', refusal('AUTOMATION_CHANGED', { who: before.updated_by }));
      }
      const { rule_id: _rule, response_name: _name, ...set } = wanted;
      await changeResponse(tx, scope, wanted, { ...set, rule_name: ruleName, by: by.caller, at: now() });
      await record(tx, scope, by, { action: 'update', ruleId: wanted.rule_id, data: { ...facts(wanted), changed } });
    },

    /**
     * `asked`: the response as it was read when it was decided whether somebody has to be asked about it. Throws NOT_FOUND, and
     * CONFLICT when it is to be switched on and would do something else by now.
     */
    async setEnabled(
      tx: Tx,
      scope: TenantScope,
      { asked, enabled }: { asked: RuleResponseRow; enabled: boolean },
      by: ChangedBy,
    ): Promise<void> {
      await lockResponses(tx, scope);
      const before = await requireThere(tx, scope, asked);
      if (before.enabled === enabled) return;
      // Not by revision alone: one that was deleted and made anew under its name begins to count again.
      if (enabled && (before.revision !== asked.revision || changedParts(before, asked).length > 0)) {
        throw new AppError('CONFLICT', refusal('AUTOMATION_CHANGED', { who: before.updated_by }));
      }
      await changeResponse(tx, scope, asked, { enabled, by: by.caller, at: now() });
      const data = { response_name: asked.response_name, enabled };
      await record(tx, scope, by, { action: 'switch', ruleId: asked.rule_id, data });
    },

    async remove(tx: Tx, scope: TenantScope, key: ResponseKey, by: ChangedBy): Promise<void> {
      await lockResponses(tx, scope);
      const before = await requireThere(tx, scope, key);
      await deleteOutcomes(tx, scope, key);
      await deleteResponse(tx, scope, key);
      await record(tx, scope, by, { action: 'delete', ruleId: key.rule_id, data: facts(before) });
    },

    /** Throws CONFLICT unless the names are exactly those the policy has. */
    async order(tx: Tx, scope: TenantScope, ruleId: string, names: readonly string[], by: ChangedBy): Promise<void> {
      await lockResponses(tx, scope);
      const before = await namesInOrder(tx, scope, ruleId);
      if (before.length === 0) throw noSuchResponse();
      const wanted = new Set(names);
      if (wanted.size !== names.length || wanted.size !== before.length || !before.every((name) => wanted.has(name))) {
        throw new AppError('CONFLICT', { message: 'The automations of this policy changed in the meantime.' });
      }
      await setOrder(tx, scope, ruleId, names);
      await record(tx, scope, by, { action: 'reorder', ruleId, data: { response_names: [...names] } });
    },

    requireThere,
  };
}

/** Throws NOT_FOUND. */
async function requireThere(tx: Tx, scope: TenantScope, key: ResponseKey): Promise<RuleResponseRow> {
  const found = await findResponse(tx, scope, key);
  if (found === undefined) throw noSuchResponse();
  return found;
}

export function noSuchResponse(): AppError {
  return new AppError('NOT_FOUND', { message: 'This automation does not exist.' });
}

function refuseProblems(problems: readonly ErrorDetailBody[]): void {
  if (problems.length === 0) return;
  const details = problems.map((problem) => ({ ...problem, path: `body.${problem.path}` }));
  throw new AppError('VALIDATION_FAILED', { message: 'The automation would not work as it stands.', details });
}

/** Only where it would act by itself: one that is off is asked about when it is switched on. */
function questionOf(action: ActionDefinition, wanted: WantedResponse, ruleName: string): Question | undefined {
  if (action.effect !== 'destroys' || !wanted.enabled) return undefined;
  const { text } = destroyQuestion(action, wanted.inputs);
  return {
    object: createHash('sha256').update(JSON.stringify(wanted)).digest('hex'),
    title: refusal('ASK_ACTION_BY_ITSELF', { rule: ruleName, action: action.friendly_name }),
    text: [...text, refusal('ASK_ACTION_BY_ITSELF_EACH', { when: [refusal(timeOf[wanted.trigger])] })],
    action_label: refusal('ASK_LABEL_LET_RUN'),
  };
}

const timeOf = {
  case_opened: 'ASK_CASE_OPENED',
  respond_warning: 'ASK_CASE_RESPOND_WARNING',
  respond_breach: 'ASK_CASE_RESPOND_BREACH',
  resolve_warning: 'ASK_CASE_RESOLVE_WARNING',
  resolve_breach: 'ASK_CASE_RESOLVE_BREACH',
} as const satisfies Readonly<Record<ResponseTrigger, string>>;

const parts = ['response_type', 'trigger', 'definition_id', 'connector_id', 'inputs', 'conditions', 'enabled'] as const;

function changedParts(before: RuleResponseRow, wanted: Pick<WantedResponse, (typeof parts)[number]>): string[] {
  return parts.filter((part) => JSON.stringify(sorted(before[part])) !== JSON.stringify(sorted(wanted[part])));
}

/** The database orders the keys of JSON by itself. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Never inputs: they may hold what belongs in no log. */
function facts({ conditions, ...response }: Omit<WantedResponse, 'inputs'>) {
  const { response_name, response_type, trigger, definition_id, enabled } = response;
  return { response_name, response_type, trigger, definition_id, has_condition: conditions !== null, enabled };
}
