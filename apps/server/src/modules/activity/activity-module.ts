import { AppError } from '../../http/app-error.ts';
import type { Caller, Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { PlaybooksService } from '../playbooks/playbooks-service.ts';
import { type ActivityService, createActivityService } from './activity-service.ts';
import type { RunTrigger } from './run-trigger.ts';
import { createSingleActions, type SingleActionDependencies, type SingleActionRoutes } from './single-actions.ts';

type Dependencies = Parameters<typeof createActivityService>[0] & {
  db: Database;
  playbooks: Pick<PlaybooksService, 'findForRun'>;
  tenantName: (tx: Tx, scope: TenantScope) => Promise<string>;
} & Pick<SingleActionDependencies, 'runner' | 'connectors' | 'ids' | 'now'>;

type RouteIds =
  | 'playbook-activity.list'
  | 'playbook-activity.start'
  | 'playbook-activity.get'
  | 'playbook-activity.cancel'
  | 'playbook-activity.action'
  | 'prompts.get'
  | 'prompts.answer'
  | 'actions-activity.list'
  | 'actions-activity.get'
  | SingleActionRoutes;

export type ActivityModule = { service: ActivityService; handlers: Handlers<RouteIds> };

export function createActivityModule(deps: Dependencies): ActivityModule {
  const { db } = deps;
  const service = createActivityService(deps);

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

  return {
    service,
    handlers: {
      'playbook-activity.list': ({ query }, { scope }) =>
        db.tenant(scope.tenantId, (tx) =>
          service.listRuns(tx, scope, { skip: query.skip, limit: query.limit, statuses: query.status, q: query.q }),
        ),
      'playbook-activity.start': ({ body }, { scope, caller }) =>
        db.tenant(scope.tenantId, async (tx) => {
          const playbook = await deps.playbooks.findForRun(tx, scope, body.playbook_id);
          if (!playbook) throw new AppError('NOT_FOUND', { message: 'This playbook does not exist.' });
          // Not put aside like what runs already: nobody expects it to start hours later.
          if (!(await deps.settings.automationEnabled(tx, scope.tenantId))) {
            throw new AppError('CONFLICT', {
              message:
                'Automation is switched off for this tenant, so playbooks do not run. Single actions still run by hand.',
            });
          }
          const { runId } = await service.startRun(tx, {
            scope,
            what: { kind: 'playbook', ...playbook },
            inputs: body.inputs,
            trigger: await manualTrigger(tx, scope, caller),
            dedupKey: deps.ids(),
          });
          return await service.getRun(tx, scope, runId);
        }),
      'playbook-activity.get': ({ params }, { scope }) =>
        db.tenant(scope.tenantId, (tx) => service.getRun(tx, scope, params.id)),
      'playbook-activity.cancel': ({ params }, { scope, caller }) =>
        db.tenant(scope.tenantId, (tx) => service.cancelRun(tx, scope, params.id, caller)),
      'playbook-activity.action': ({ params }, { scope }) =>
        db.tenant(scope.tenantId, (tx) => service.getAction(tx, scope, params.action_id, params.id)),
      'prompts.get': ({ params }, { scope, caller, role }) =>
        db.tenant(scope.tenantId, (tx) =>
          service.getPrompt(tx, scope, { runId: params.id, promptId: params.prompt_id }, caller, role),
        ),
      'prompts.answer': async ({ params, body }, { scope, caller, role, requestId }) => {
        const answer = { runId: params.id, promptId: params.prompt_id, option: body.option, comment: body.comment };
        const answered = await db.tenant(scope.tenantId, (tx) =>
          service.answerPrompt(tx, scope, answer, { caller, role, requestId }),
        );
        // Thrown after the commit, because the refused attempt must stay in the audit log.
        if (!answered) throw new AppError('PROMPT_NOT_APPROVER');
        return answered;
      },
      'actions-activity.list': ({ query }, { scope }) =>
        db.tenant(scope.tenantId, (tx) =>
          service.listActions(tx, scope, {
            page: query.page,
            limit: query.limit,
            statuses: query.status,
            ofPlaybooks: query.type === undefined ? undefined : query.type === 'playbook' || query.type === 'workflow',
            q: query.q,
          }),
        ),
      ...createSingleActions({ ...deps, service, manualTrigger }),
      'actions-activity.get': ({ params }, { scope }) =>
        db.tenant(scope.tenantId, (tx) => service.getAction(tx, scope, params.id)),
    },
  };
}
