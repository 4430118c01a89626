/**
 * How people set up what alerts of the log management start. Whoever saves a rule answers for it: it acts with that person's
 * rights from then on, and stops acting when they are taken away.
 */
import type { auditVerbs } from '@airdeck/contracts/audit/actions';
import type { AutomationRuleCreate, AutomationRulePatch } from '@airdeck/contracts/automation-rules/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import type { KeyedCreation } from '../../http/keyed-creation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import {
  changeRule,
  countRules,
  deleteRule,
  findRule,
  insertRule,
  lockRule,
  lockRules,
  type RuleRow,
} from './automation-rules-repository.ts';
import type { WantWork } from './notification-work.ts';
import type { RuleCheck } from './rule-check.ts';

export type ServiceDependencies = {
  check: Pick<RuleCheck, 'require'>;
  want: WantWork;
  connectorName: (tx: Tx, scope: TenantScope, id: string) => Promise<string | undefined>;
  audit: Pick<AuditLog, 'record'>;
  now: () => Date;
};

export type ChangedBy = { caller: Caller; requestId: string };

type NewRule = {
  wanted: AutomationRuleCreate;
  request: KeyedCreation;
  connectorId: string;
  definitionTitle: string;
};

export type AutomationRulesService = ReturnType<typeof createAutomationRulesService>;

export function createAutomationRulesService(deps: ServiceDependencies) {
  const { now } = deps;

  async function record(
    tx: Tx,
    scope: TenantScope,
    { caller, requestId }: ChangedBy,
    {
      id,
      verb,
      data,
    }: { id: string; verb: (typeof auditVerbs)['automation_rule'][number]; data: Record<string, unknown> },
  ): Promise<void> {
    await deps.audit.record(tx, {
      tenant: scope.tenantId,
      actor: auditActor(caller),
      action: `automation_rule.${verb}`,
      target: { kind: 'automation_rule', id },
      outcome: 'ok',
      data,
      request_id: requestId,
    });
  }

  return {
    /** The rule the same request made before. Throws IDEMPOTENCY_KEY_REUSED when that was another request. */
    async findMade(tx: Tx, scope: TenantScope, { id, hash }: KeyedCreation): Promise<RuleRow | undefined> {
      if (hash === null) return undefined;
      const made = await findRule(tx, scope, id);
      if (made !== undefined && made.request_hash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      return made;
    },

    /** Its notification is wanted in the same transaction. Throws CONFLICT when there are too many. */
    async create(tx: Tx, scope: TenantScope, rule: NewRule, by: ChangedBy): Promise<void> {
      const { wanted, request, connectorId, definitionTitle } = rule;
      await lockRules(tx, scope);
      if ((await findRule(tx, scope, request.id)) !== undefined) return;
      if ((await countRules(tx, scope)) >= serverLimits.automationRulesMax) {
        throw new AppError(
          'CONFLICT',
          refusal('AUTOMATION_RULES_TOO_MANY', { maximum: serverLimits.automationRulesMax }),
        );
      }
      const at = now();
      const { username, userId } = by.caller;
      await insertRule(tx, scope, {
        id: request.id,
        name: wanted.name,
        connector_id: connectorId,
        definition_id: wanted.event_category_id,
        definition_title: definitionTitle,
        responses: wanted.actions.responses,
        enabled: wanted.enabled,
        // The work on its notification gives it one.
        source_id: null,
        notification_state: 'working',
        ...{ created_by: username, updated_by: username, owner_user_id: userId, created_at: at, updated_at: at },
        request_hash: request.hash,
      });
      await deps.want(tx, scope, [request.id]);
      const { name, event_category_id } = wanted;
      const starts = wanted.actions.responses.length;
      const data = { name, event_category_id, connector_id: connectorId, responses: starts, enabled: wanted.enabled };
      await record(tx, scope, by, { id: request.id, verb: 'create', data });
    },

    /** Throws NOT_FOUND, and CONFLICT when the rule is not as `revision` was. */
    async change(
      tx: Tx,
      scope: TenantScope,
      id: string,
      { revision, actions, name, enabled }: AutomationRulePatch,
      by: ChangedBy,
    ): Promise<void> {
      const before = await lockRule(tx, scope, id);
      if (before === undefined) throw noSuchRule();
      if (before.deleting) throw new AppError('CONFLICT', { message: 'This rule is being deleted.' });
      if (revision !== undefined && revision !== before.revision) {
        throw new AppError('CONFLICT', refusal('AUTOMATION_RULE_CHANGED', { who: before.updated_by }));
      }
      const responses = actions?.responses;
      // It acts with the rights of who changed it last: nothing but a change may move them.
      if (name === undefined && enabled === undefined && responses === undefined) return;
      await changeRule(tx, scope, id, {
        ...(name === undefined ? {} : { name }),
        ...(enabled === undefined ? {} : { enabled }),
        responses,
        ...{ updated_by: by.caller.username, owner_user_id: by.caller.userId, updated_at: now() },
        revision: before.revision + 1,
      });
      const changed = [
        ...(name === undefined ? [] : ['name']),
        ...(enabled === undefined ? [] : ['enabled']),
        ...(responses === undefined ? [] : ['actions']),
      ];
      // Never inputs: they may hold what belongs in no log.
      const data = { name: name ?? before.name, enabled: enabled ?? before.enabled, changed };
      await record(tx, scope, by, { id, verb: 'update', data });
    },

    /**
     * It starts nothing any more from now on, and goes when its notification has; at once where there is no connector left
     * to reach that through, or when it is forced. Throws NOT_FOUND.
     */
    async remove(tx: Tx, scope: TenantScope, id: string, force: boolean, by: ChangedBy): Promise<void> {
      const before = await lockRule(tx, scope, id);
      if (before === undefined) throw noSuchRule();
      const reachable = (await deps.connectorName(tx, scope, before.connector_id)) !== undefined;
      const atOnce = force || !reachable;
      if (atOnce) await deleteRule(tx, scope, id);
      else await deps.want(tx, scope, [id], { deleting: true });
      const data = { name: before.name, left_in_graylog: atOnce };
      await record(tx, scope, by, { id, verb: 'delete', data });
    },

    /** Throws NOT_FOUND. */
    async repair(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void> {
      const before = await lockRule(tx, scope, id);
      if (before === undefined) throw noSuchRule();
      await deps.want(tx, scope, [id], { rewrite: true });
      await record(tx, scope, by, { id, verb: 'repair', data: { name: before.name } });
    },
  };
}

export function noSuchRule(): AppError {
  return new AppError('NOT_FOUND', { message: 'This automation rule does not exist.' });
}
