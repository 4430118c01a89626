import { setTimeout as wait } from 'node:timers/promises';
import { readDefinition } from '@airdeck/connectors/graylog/event-definitions';
import type { AutomationRule, AutomationRuleCreate } from '@airdeck/contracts/automation-rules/schema';
import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { JobHandler } from '@airdeck/engine/interfaces';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { keyedCreation } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createCallLimit } from '../connectors/call-limit.ts';
import { createAlertAnswers } from './alert-answers.ts';
import { deleteAlertOutcomesBefore, pageOfAlertOutcomes } from './alert-outcomes.ts';
import { createAlertSources } from './alert-source.ts';
import type { AlertAnswers } from './automation-rules-port.ts';
import { findRule, type ListedRule, pageOfRules, standingRules } from './automation-rules-repository.ts';
import { createAutomationRulesService, noSuchRule, type ServiceDependencies } from './automation-rules-service.ts';
import { createGraylogCalls } from './graylog-calls.ts';
import { createNotificationLook, DUE_LOOKS_JOB, LOOK_JOB } from './notification-look.ts';
import { createNotificationWork, NOTIFICATION_JOB, type WorkDependencies } from './notification-work.ts';
import { createRuleCheck } from './rule-check.ts';
import { ruleOnTheWire } from './rule-view.ts';

/** By what they do. */
export const alertJobs = { notification: NOTIFICATION_JOB, look: LOOK_JOB, dueLooks: DUE_LOOKS_JOB } as const;

const HISTORY_KEPT_MS = 180 * 24 * 3_600_000;
/** By tenant and process: each calls out and may hold its caller. */
const WORKS_PER_MINUTE = 60;
/** People wait so long for Graylog; the work goes on after it. */
const PATIENCE_MS = 8_000;
const LOOK_FIRST_MS = 20;
const LOOK_MOST_MS = 300;

type RouteIds =
  | 'automation-rules.list'
  | 'automation-rules.create'
  | 'automation-rules.get'
  | 'automation-rules.change'
  | 'automation-rules.delete'
  | 'automation-rules.repair'
  | 'automation-rules.history';

type Dependencies = Parameters<typeof createAlertSources>[0] &
  Parameters<typeof createGraylogCalls>[0] &
  Parameters<typeof createAlertAnswers>[0] &
  Parameters<typeof createRuleCheck>[0] &
  Pick<WorkDependencies, 'connectorName' | 'enqueue' | 'engineClient'> &
  Pick<ServiceDependencies, 'audit'> & {
    db: Pick<Database, 'tenant' | 'read' | 'system'>;
    ids: () => string;
  };

export type AutomationRulesModule = {
  handlers: Handlers<RouteIds>;
  jobs: Readonly<Record<keyof typeof alertJobs, JobHandler>>;
  alerts: AlertAnswers;
  /** Writes every notification of the tenant anew: for a Graylog that forgot them. */
  rewriteAll(tenantId: string): Promise<void>;
  purge(): Promise<void>;
};

export function createAutomationRulesModule(deps: Dependencies): AutomationRulesModule {
  const { db, now } = deps;
  const parts = { ...deps, alertSources: createAlertSources(deps), graylog: createGraylogCalls(deps) };
  const work = createNotificationWork(parts);
  const look = createNotificationLook({ ...parts, want: work.want });
  return {
    handlers: createHandlers({ ...parts, want: work.want }),
    jobs: { notification: work.job, look: look.job, dueLooks: look.dueJob },
    alerts: createAlertAnswers(deps),
    rewriteAll: (tenantId) =>
      db.tenant(tenantId, async (tx) => {
        const scope = trustedTenantScope(tenantId);
        await work.want(tx, scope, await standingRules(tx, scope), { rewrite: true });
      }),
    async purge() {
      const before = new Date(now().getTime() - HISTORY_KEPT_MS);
      await db.system((tx) => deleteAlertOutcomesBefore(tx, before));
    },
  };
}

function createHandlers(
  deps: Dependencies & Pick<WorkDependencies, 'alertSources' | 'graylog'> & Pick<ServiceDependencies, 'want'>,
): Handlers<RouteIds> {
  const { db, ids, now, graylog } = deps;
  const mayAsk = createCallLimit({ now, perMinute: WORKS_PER_MINUTE });
  const check = createRuleCheck(deps);
  const service = createAutomationRulesService({ ...deps, check });

  async function onTheWire(tx: Tx, scope: TenantScope, rows: readonly ListedRule[]): Promise<AutomationRule[]> {
    const rules: AutomationRule[] = [];
    for (const row of rows) rules.push(ruleOnTheWire(row, await check.problemsOf(tx, scope, row)));
    return rules;
  }

  async function get(scope: TenantScope, id: string): Promise<AutomationRule> {
    return await db.read(scope.tenantId, async (tx) => {
      const [rule] = await onTheWire(tx, scope, await pageOfRules(tx, scope, { id }, { limit: 1, offset: 0 }));
      if (rule === undefined) throw noSuchRule();
      return rule;
    });
  }

  /** Waits until Graylog has answered, or patience is over: the work goes on then. */
  async function settled({ scope, signal }: TenantContext, id: string): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    for (let pauseMs = LOOK_FIRST_MS; performance.now() < end; pauseMs = Math.min(pauseMs * 1.5, LOOK_MOST_MS)) {
      const rule = await db.read(scope.tenantId, (tx) => findRule(tx, scope, id));
      if (rule?.notification_state !== 'working') return;
      await wait(pauseMs, undefined, { signal });
    }
  }

  /** The event definition as Graylog has it: a rule for one that is not there is refused before anything is made. */
  async function readWanted({ scope, signal }: TenantContext, wanted: AutomationRuleCreate) {
    const found = await graylog(scope, {
      ...{ connectorId: wanted.connector_id ?? null, signal, timeoutMs: PATIENCE_MS },
      work: async (context, id) => ({ id, definition: await readDefinition(context, wanted.event_category_id) }),
    });
    if (found.ok) {
      const { title } = found.value.definition;
      return { connectorId: found.value.id, title: typeof title === 'string' ? title : wanted.event_category_id };
    }
    const { code, message } = found;
    if (code === 'VENDOR_NOT_FOUND')
      throw new AppError('NOT_FOUND', { message: 'Graylog has no such event definition.' });
    if (code === 'CONNECTOR_UNAVAILABLE') throw new AppError('CONNECTOR_UNAVAILABLE', { message });
    throw new AppError('ACTION_FAILED', { message, details: [{ path: 'code', message: code }] });
  }

  function requireLeft({ scope }: TenantContext): void {
    if (!mayAsk(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
  }

  const byOf = ({ caller, requestId }: TenantContext) => ({ caller, requestId });

  return {
    'automation-rules.list': ({ query }, { scope }) =>
      db.read(scope.tenantId, async (tx) => {
        const page = { limit: query.limit, offset: (query.page - 1) * query.limit };
        return await onTheWire(tx, scope, await pageOfRules(tx, scope, { q: query.q }, page));
      }),

    'automation-rules.get': ({ params }, { scope }) => get(scope, params.id),

    'automation-rules.create': async ({ body }, context) => {
      const { scope } = context;
      requireLeft(context);
      const request = keyedCreation('automation-rule', context, { scope, body, ids });
      const made = await db.read(scope.tenantId, (tx) => service.findMade(tx, scope, request));
      if (made === undefined) {
        const { responses } = body.actions;
        const question = await db.read(scope.tenantId, async (tx) => {
          await check.require(tx, scope, responses);
          const { name, event_category_id } = body;
          return body.enabled
            ? await check.question(tx, scope, { id: 'new', name, event_category_id, responses })
            : undefined;
        });
        const { connectorId, title: definitionTitle } = await readWanted(context, body);
        if (question !== undefined) await context.confirm(question);
        const rule = { wanted: body, request, connectorId, definitionTitle };
        await db.tenant(scope.tenantId, (tx) => service.create(tx, scope, rule, byOf(context)));
      }
      await settled(context, request.id);
      return await get(scope, request.id);
    },

    'automation-rules.change': async ({ params, body }, context) => {
      const { scope } = context;
      const before = await get(scope, params.id);
      const rule = {
        ...{ id: before.id, name: body.name ?? before.name, event_category_id: before.event_category_id },
        responses: body.actions?.responses ?? before.actions.responses,
      };
      const wakes = (body.enabled ?? before.enabled) && (body.actions !== undefined || !before.enabled);
      const question = await db.read(scope.tenantId, async (tx) => {
        if (body.actions !== undefined || (wakes && !before.enabled)) await check.require(tx, scope, rule.responses);
        return wakes ? await check.question(tx, scope, rule) : undefined;
      });
      if (question !== undefined) await context.confirm(question);
      // Whether anybody has to be asked was decided by what was read: where the change may let something run by itself, it is
      // made to that and to nothing newer. One that switches off, or only renames, need not wait for a second look.
      const mayWake = body.enabled ?? body.actions !== undefined;
      const change = mayWake ? { ...body, revision: body.revision ?? before.revision } : body;
      await db.tenant(scope.tenantId, (tx) => service.change(tx, scope, params.id, change, byOf(context)));
      return await get(scope, params.id);
    },

    'automation-rules.delete': async ({ params, query }, context) => {
      const { scope } = context;
      const force = query.force === 'true';
      await db.tenant(scope.tenantId, (tx) => service.remove(tx, scope, params.id, force, byOf(context)));
      await settled(context, params.id);
      const left = await db.read(scope.tenantId, (tx) => findRule(tx, scope, params.id));
      if (left === undefined || left.notification_state === 'working') return undefined;
      const reason = left.notification_reason;
      const problem: ToldPart[] = reason === null ? [] : [{ message: reason }];
      const said = refusal<'AUTOMATION_RULE_NOTIFICATION_LEFT', ToldPart[]>('AUTOMATION_RULE_NOTIFICATION_LEFT', {
        problem,
      });
      throw new AppError('ACTION_FAILED', { ...said, message: said.message.trim() });
    },

    'automation-rules.repair': async ({ params }, context) => {
      const { scope } = context;
      requireLeft(context);
      await db.tenant(scope.tenantId, (tx) => service.repair(tx, scope, params.id, byOf(context)));
      await settled(context, params.id);
      return await get(scope, params.id);
    },

    'automation-rules.history': ({ params, query }, { scope }) =>
      db.read(scope.tenantId, async (tx) => {
        if ((await findRule(tx, scope, params.id)) === undefined) throw noSuchRule();
        const page = { limit: query.limit, offset: (query.page - 1) * query.limit };
        return await pageOfAlertOutcomes(tx, scope, params.id, page);
      }),
  };
}
