/** Actions that a person runs one at a time: now and waiting for the answer, in the background, later, once more. */
import { createHash } from 'node:crypto';
import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import { requirementOfAction } from '@airdeck/contracts/access/action-requirements';
import { hasRole } from '@airdeck/contracts/access/roles';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { AppError } from '../../http/app-error.ts';
import type { Caller, Handlers, TenantContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { ActionRunner } from '../actions/action-runner.ts';
import type { ConnectorsService } from '../connectors/connectors-service.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { ActivityService } from './activity-service.ts';
import { destroyQuestion } from './destroy-question.ts';
import type { RunTrigger } from './run-trigger.ts';
import { createSynchronousActions } from './synchronous-actions.ts';

const YEAR_MS = 366 * 24 * 3_600_000;

export type SingleActionRoutes =
  | 'actions.run-now'
  | 'actions-activity.start'
  | 'actions-activity.cancel'
  | 'actions-activity.retry';

export type SingleActionDependencies = {
  db: Pick<Database, 'tenant' | 'read'>;
  service: Pick<ActivityService, 'startAction' | 'findStarted' | 'getAction' | 'findSingle' | 'cancelAction'>;
  actions: Pick<ActionCatalogue, 'find' | 'checkInput'>;
  connectors: Pick<ConnectorsService, 'exists'>;
  runner: ActionRunner;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
  manualTrigger: (tx: Tx, scope: TenantScope, caller: Caller) => Promise<RunTrigger>;
  caseExists: (tx: Tx, scope: TenantScope, caseId: string) => Promise<boolean>;
  ids: () => string;
  now: () => Date;
};

/** One action as somebody asks for it. */
export type AskedAction = {
  actionName: string;
  input: JsonObject;
  connectorId: string | null;
  runAt: Date | undefined;
  /** The case it answers. */
  caseId: string | null;
};

export function createSingleActions(deps: SingleActionDependencies): Handlers<SingleActionRoutes> {
  const { db, service } = deps;

  /** What the request has started when it came before, whatever would be refused by now. */
  async function started(asked: AskedAction, context: TenantContext): Promise<ActionActivity | undefined> {
    const key = keyOf(asked, context);
    return key && (await db.read(context.scope.tenantId, (tx) => service.findStarted(tx, context.scope, key)));
  }

  async function start(asked: AskedAction, context: TenantContext): Promise<ActionActivity> {
    const { scope, caller } = context;
    const before = await started(asked, context);
    if (before) return before;
    const key = keyOf(asked, context);
    await requireConfirmed(await requireRunnable(deps, scope, asked), asked, context);
    return await db.tenant(scope.tenantId, async (tx) => {
      // When it is due, the engine says by its own clock. It stays what was asked for: the same request a little later is the same one.
      const { actionName, input, runAt } = asked;
      const isToCome = runAt !== undefined && runAt > deps.now();
      const automationOn = await deps.settings.automationEnabled(tx, scope.tenantId);
      const trigger: RunTrigger = {
        ...(await deps.manualTrigger(tx, scope, caller)),
        ...{ connector_id: asked.connectorId, case_id: asked.caseId },
        ...(automationOn ? {} : { automation_off: true }),
        ...(isToCome ? { time_scheduled: runAt.toISOString() } : {}),
        ...(key === undefined ? {} : { request_hash: key.requestHash }),
      };
      const startedWith = caller.apiKey?.id;
      const dedupKey = key?.dedupKey ?? deps.ids();
      return await service.startAction(tx, { scope, actionName, input, trigger, startedWith, dedupKey, runAt });
    });
  }

  const synchronous = createSynchronousActions({ ...deps, started, start });

  return {
    'actions.run-now': async ({ body }, context) => {
      if (!hasRole(context.role, requirementOfAction(body.action_name).role)) throw new AppError('ROLE_TOO_LOW');
      const asked = {
        actionName: body.action_name,
        input: body.action_input,
        connectorId: body.connector_id,
        runAt: undefined,
        caseId: null,
      };
      return await synchronous.run(asked, context);
    },

    'actions-activity.start': ({ body }, context) =>
      start(
        {
          actionName: body.action_name,
          input: body.action_input,
          connectorId: body.connector_id ?? null,
          runAt: startTime(body.time_scheduled ?? undefined, deps.now()),
          caseId: body.case_id ?? null,
        },
        context,
      ),

    'actions-activity.cancel': ({ params }, context) =>
      db.tenant(context.scope.tenantId, (tx) => service.cancelAction(tx, context.scope, params.id, context)),

    'actions-activity.retry': async ({ params }, context) => {
      const { scope } = context;
      const { run, step } = await db.read(scope.tenantId, (tx) => service.findSingle(tx, scope, params.id));
      if (step.status !== 'error' && step.status !== 'cancelled') {
        throw new AppError('CONFLICT', {
          message: 'Only an action that failed or was cancelled can be run once more.',
        });
      }
      const trigger = run.trigger as Partial<RunTrigger> | null;
      const input = (run.inputs as { input?: JsonObject } | null)?.input ?? {};
      return await start(
        {
          ...{ actionName: step.name, input, connectorId: trigger?.connector_id ?? null, runAt: undefined },
          caseId: trigger?.case_id ?? null,
        },
        context,
      );
    },
  };
}

/** Everything that can be known to be wrong before anybody is asked to confirm it. */
export async function requireRunnable(
  {
    db,
    actions,
    connectors,
    caseExists,
  }: Pick<SingleActionDependencies, 'db' | 'actions' | 'connectors' | 'caseExists'>,
  scope: TenantScope,
  { actionName, input, connectorId, caseId }: AskedAction,
): Promise<ActionDefinition> {
  const action = await db.read(scope.tenantId, (tx) => actions.find(actionName, tx, scope));
  if (!action) throw new AppError('NOT_FOUND', { message: 'This action does not exist.' });
  const details = actions.checkInput(action, input);
  if (details.length > 0) throw new AppError('ACTION_INPUT_INVALID', { details });
  if (caseId !== null && !(await db.read(scope.tenantId, (tx) => caseExists(tx, scope, caseId)))) {
    throw new AppError('NOT_FOUND', { message: 'This case does not exist.' });
  }
  if (connectorId === null) return action;
  const wanted = { definitionId: action.definition_id, connectorId };
  const exists = await db.read(scope.tenantId, (tx) => connectors.exists(tx, scope, wanted));
  if (!exists) throw new AppError('NOT_FOUND', { message: 'This connector does not exist for this action.' });
  return action;
}

/** What destroys something out there is run only by somebody who was told so (spec §6, confirmation). */
export async function requireConfirmed(
  action: ActionDefinition | undefined,
  asked: AskedAction,
  context: TenantContext,
): Promise<void> {
  if (action?.effect !== 'destroys') return;
  await context.confirm({ object: hashOf(asked), ...destroyQuestion(action, asked.input) });
}

/** Bound to who sent it: another person's key is another one. */
function keyOf(
  asked: AskedAction,
  { caller, raw }: TenantContext,
): { dedupKey: string; requestHash: string } | undefined {
  const key = idempotencyKeyOf(raw.request.headers);
  return key === undefined ? undefined : { dedupKey: `action/${caller.userId}/${key}`, requestHash: hashOf(asked) };
}

function startTime(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined;
  const at = new Date(text);
  if (at.getTime() - now.getTime() > YEAR_MS) {
    throw new AppError('VALIDATION_FAILED', {
      details: [{ path: 'body.time_scheduled', message: 'At most a year from now.' }],
    });
  }
  return at;
}

function hashOf({ actionName, input, connectorId, runAt, caseId }: AskedAction): string {
  const asked = [actionName, input, connectorId, runAt?.toISOString() ?? null];
  // Of an action without a case as it always was: keys of before are still known.
  const text = JSON.stringify(caseId === null ? asked : [...asked, caseId]);
  return createHash('sha256').update(text).digest('hex');
}
