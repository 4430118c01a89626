import type { Caller, Handlers, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { RunnablePlaybooks, TryPlaybook } from '../playbooks/playbooks-port.ts';
import type { StartRun } from '../rule-responses/rule-responses-service.ts';
import { type ActivityService, createActivityService } from './activity-service.ts';
import { purgeLinkUses } from './approvals-repository.ts';
import type { EnginePool } from './engine-pool.ts';
import { createOldRuns } from './old-runs.ts';
import { createPlaybookRuns } from './playbook-runs.ts';
import { createPromptAnswers } from './prompt-answers.ts';
import { createRunStarts, type RunStartDependencies, runsOfKeys } from './run-starts.ts';
import type { RunTrigger } from './run-trigger.ts';
import { createSingleActions, type SingleActionDependencies, type SingleActionRoutes } from './single-actions.ts';
import { createStartPace, type RequirePace } from './start-pace.ts';

/** Links that were used are remembered for longer than links live. */
const LINK_USES_LIVE_MS = 30 * 24 * 3_600_000;

type Dependencies = {
  db: Database;
  playbooks: RunnablePlaybooks;
  tenantName: (tx: Tx, scope: TenantScope) => Promise<string>;
  enginePool: Pick<EnginePool, 'client'>;
  /** Days after which a run that ended is forgotten. */
  runsKeptDays: number;
} & RunStartDependencies &
  Omit<Parameters<typeof createActivityService>[0], 'start'> &
  Omit<Parameters<typeof createPlaybookRuns>[0], 'start' | 'manualTrigger'> &
  Parameters<typeof createPromptAnswers>[0] &
  Pick<SingleActionDependencies, 'runner' | 'connectors' | 'caseExists' | 'ids' | 'now'>;

type RouteIds =
  | 'playbook-activity.list'
  | 'playbook-activity.start'
  | 'playbook-activity.get'
  | 'playbook-activity.cancel'
  | 'playbook-activity.retry'
  | 'playbook-activity.action'
  | 'prompts.get'
  | 'prompts.answer'
  | 'actions-activity.list'
  | 'actions-activity.get'
  | SingleActionRoutes;

export type ActivityModule = {
  service: ActivityService;
  /** For what starts runs without a person who asks for them. */
  startRun: StartRun;
  tryPlaybook: TryPlaybook;
  /** For people who start runs elsewhere: they count together with those started here. */
  requirePace: RequirePace;
  /** What keys given to `startRun` have started, by key. */
  runsOfKeys: (tx: Tx, scope: TenantScope, dedupKeys: readonly string[]) => ReturnType<typeof runsOfKeys>;
  purge(signal?: AbortSignal): Promise<void>;
  handlers: Handlers<RouteIds>;
};

export function createActivityModule(deps: Dependencies): ActivityModule {
  const { db } = deps;

  async function manualTrigger(tx: Tx, scope: TenantScope, caller: Caller): Promise<RunTrigger> {
    return {
      trigger_type: 'manual',
      username: caller.username,
      user_tenant_id: scope.tenantId,
      user_tenant_name: await deps.tenantName(tx, scope),
      case_id: null,
      acts_as: caller.userId,
      response_name: null,
      connector_id: null,
    };
  }

  const start = createRunStarts(deps);
  const service = createActivityService({ ...deps, start });
  const runs = createPlaybookRuns({ ...deps, start, manualTrigger });
  const answers = createPromptAnswers(deps);
  const requirePace = createStartPace(deps);
  const oldRuns = createOldRuns({ ...deps, keptDays: deps.runsKeptDays });

  return {
    service,
    startRun: async (tx, how) => ({ runId: (await start(tx, how)).runId }),
    tryPlaybook: runs.tryPlaybook,
    requirePace,
    runsOfKeys: (tx, { tenantId }, dedupKeys) => runsOfKeys(deps.enginePool.client(tx), { tenantId, dedupKeys }),
    async purge(signal) {
      const before = new Date(deps.now().getTime() - LINK_USES_LIVE_MS);
      await db.system((tx) => purgeLinkUses(tx, before));
      await oldRuns.forget(signal);
    },
    handlers: {
      ...runHandlers({ ...deps, requirePace }, runs),
      ...createSingleActions({ ...deps, service, manualTrigger }),
      'playbook-activity.action': ({ params, query }, { scope }) => {
        const which = { runId: params.id, stepId: params.action_id, item: query.item };
        return db.read(scope.tenantId, (tx) => service.getRunAction(tx, scope, which));
      },
      'prompts.get': ({ params, query }, { scope, caller, role }) =>
        answers.get(scope, { runId: params.id, promptId: params.prompt_id }, { caller, role }, query.answer),
      'prompts.answer': ({ params, body }, context) => {
        const { scope, caller, role, requestId } = context;
        return answers.answer(
          {
            runId: params.id,
            promptId: params.prompt_id,
            option: body.option,
            comment: body.comment,
            token: body.token,
          },
          { scope, caller, role, requestId, context },
        );
      },
      'actions-activity.list': ({ query }, { scope }) =>
        db.tenant(scope.tenantId, (tx) =>
          service.listActions(tx, scope, {
            page: query.page,
            limit: query.limit,
            statuses: query.status,
            ofPlaybooks: query.type === undefined ? undefined : query.type === 'playbook' || query.type === 'workflow',
            actionName: query.action,
            q: query.q,
          }),
        ),
      'actions-activity.get': ({ params }, { scope }) =>
        db.tenant(scope.tenantId, (tx) => service.getAction(tx, scope, params.id)),
    },
  };
}

type RunRouteIds = Exclude<Extract<RouteIds, `playbook-activity.${string}`>, 'playbook-activity.action'>;

function runHandlers(
  { db, playbooks, requirePace }: Pick<Dependencies, 'db' | 'playbooks'> & { requirePace: RequirePace },
  runs: ReturnType<typeof createPlaybookRuns>,
): Handlers<RunRouteIds> {
  const keyOf = ({ raw }: TenantContext) => idempotencyKeyOf(raw.request.headers);
  return {
    'playbook-activity.list': ({ query }, { scope }) =>
      db.read(scope.tenantId, (tx) =>
        runs.list(tx, scope, {
          skip: query.skip,
          limit: query.limit,
          statuses: query.status,
          q: query.q,
          playbookId: query.playbook_id,
        }),
      ),
    'playbook-activity.start': async ({ body }, context) => {
      const { scope, caller } = context;
      await requirePace(scope, caller.userId);
      const idempotencyKey = keyOf(context);
      return await db.tenant(scope.tenantId, async (tx) => {
        const of = { playbookId: body.playbook_id, draft: null };
        const playbook = () => playbooks.getForRun(tx, scope, body.playbook_id);
        const asked = { scope, caller, of, playbook, inputs: body.inputs, idempotencyKey, caseId: body.case_id };
        return await runs.start(tx, { ...asked, dryRun: body.dry_run === true });
      });
    },
    'playbook-activity.get': ({ params }, { scope }) => db.read(scope.tenantId, (tx) => runs.get(tx, scope, params.id)),
    'playbook-activity.cancel': ({ params }, context) =>
      db.tenant(context.scope.tenantId, (tx) => runs.cancel(tx, context.scope, params.id, context)),
    'playbook-activity.retry': async ({ params, body }, context) => {
      const { scope, caller } = context;
      await requirePace(scope, caller.userId);
      const retry = { runId: params.id, from: body.from_action, idempotencyKey: keyOf(context) };
      return await db.tenant(scope.tenantId, (tx) => runs.retry(tx, scope, caller, retry));
    },
  };
}
