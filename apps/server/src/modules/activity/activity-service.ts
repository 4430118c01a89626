import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { ActionStatus } from '@airdeck/contracts/statuses';
import { LIST_ITERATION } from '@airdeck/engine/definition';
import type { Run, Step } from '@airdeck/engine/interfaces';
import { findRun, findStep, listItemStatuses, listItems, listRunSteps, listSteps } from '@airdeck/engine/reads';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import { type Canceller, cancelRun } from './run-cancel.ts';
import { runOfKey, type StartRunOf } from './run-starts.ts';
import type { RunTrigger } from './run-trigger.ts';
import { actionActivity } from './run-view.ts';

type Dependencies = Parameters<typeof cancelRun>[0] & {
  start: StartRunOf;
  actions: Pick<ActionCatalogue, 'list'>;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
};

export type ActionStart = {
  scope: TenantScope;
  actionName: string;
  input: JsonObject;
  trigger: RunTrigger;
  startedWith: string | undefined;
  dedupKey: string;
  runAt: Date | undefined;
};

export type ActivityService = ReturnType<typeof createActivityService>;

/** Actions, of playbooks and by themselves, as people see and steer them. */
export function createActivityService(deps: Dependencies) {
  const sqlOf = (tx: Tx) => deps.enginePool.client(tx);

  async function find(tx: Tx, scope: TenantScope, stepId: string): Promise<{ run: Run; step: Step }> {
    const sql = sqlOf(tx);
    const step = await findStep(sql, { tenantId: scope.tenantId, stepId });
    const run = step && (await findRun(sql, { tenantId: scope.tenantId, runId: step.runId }));
    if (!step || !run) throw notThere();
    return { run, step };
  }

  return {
    /**
     * Runs one action. A second start with the same `dedupKey` answers with what the first one started; throws
     * IDEMPOTENCY_KEY_REUSED when it asked for something else.
     */
    async startAction(tx: Tx, how: ActionStart): Promise<ActionActivity> {
      const { actionName, input, ...more } = how;
      const what = { kind: 'action', name: actionName } as const;
      const { runId } = await deps.start(tx, { ...more, what, inputs: input });
      return await this.getSoleAction(tx, how.scope, runId);
    },

    /** The action a key has started. Throws IDEMPOTENCY_KEY_REUSED when it was asked for something else. */
    async findStarted(
      tx: Tx,
      scope: TenantScope,
      key: { dedupKey: string; requestHash: string },
    ): Promise<ActionActivity | undefined> {
      const run = await runOfKey(sqlOf(tx), { tenantId: scope.tenantId, ...key });
      return run && (await this.getSoleAction(tx, scope, run.id));
    },

    /** The run of an action, as it is asked to end or to begin once more. Throws CONFLICT for an action of a playbook. */
    async findSingle(tx: Tx, scope: TenantScope, stepId: string): Promise<{ run: Run; step: Step }> {
      const { run, step } = await find(tx, scope, stepId);
      if (run.kind !== 'adhoc') {
        throw new AppError('CONFLICT', refusal('RUN_OF_PLAYBOOK', { name: run.name }));
      }
      return { run, step };
    },

    async cancelAction(tx: Tx, scope: TenantScope, stepId: string, by: Canceller): Promise<ActionActivity> {
      const { run } = await this.findSingle(tx, scope, stepId);
      await cancelRun(deps, tx, scope, run.id, by);
      return await this.getAction(tx, scope, stepId);
    },

    async listActions(
      tx: Tx,
      scope: TenantScope,
      filter: {
        page: number;
        limit: number;
        statuses: readonly ActionStatus[] | undefined;
        ofPlaybooks: boolean | undefined;
        actionName: string | undefined;
        q: string | undefined;
      },
    ): Promise<ActionActivity[]> {
      const search = filter.q
        ? { search: filter.q, searchNames: calledLike(filter.q, await deps.actions.list(tx, scope)) }
        : {};
      const steps = await listSteps(sqlOf(tx), {
        tenantId: scope.tenantId,
        stepKinds: ['action'],
        limit: filter.limit,
        offset: (filter.page - 1) * filter.limit,
        ...(filter.statuses ? { statuses: filter.statuses } : {}),
        ...(filter.ofPlaybooks === undefined ? {} : { runKinds: [filter.ofPlaybooks ? 'playbook' : 'adhoc'] }),
        ...(filter.actionName === undefined ? {} : { names: [filter.actionName] }),
        ...search,
      });
      const automationOn = await deps.settings.automationEnabled(tx, scope.tenantId);
      return steps.map((step) => {
        const { runKind: kind, trigger, dryRun } = step;
        return actionActivity(step, { kind, trigger, dryRun }, automationOn);
      });
    },

    /** One action run, by itself or in a playbook; an item of a list counts as one. */
    async getAction(tx: Tx, scope: TenantScope, stepId: string): Promise<ActionActivity> {
      const { step, run } = await find(tx, scope, stepId);
      return actionActivity(step, run, await deps.settings.automationEnabled(tx, scope.tenantId));
    },

    /** An action of a run: as a whole, with how the items of its list stand, or one item of it. */
    async getRunAction(
      tx: Tx,
      scope: TenantScope,
      { runId, stepId, item }: { runId: string; stepId: string; item: number | undefined },
    ): Promise<ActionActivity> {
      const { step, run } = await find(tx, scope, stepId);
      if (step.runId !== runId) throw notThere();
      const automationOn = await deps.settings.automationEnabled(tx, scope.tenantId);
      const list = { tenantId: scope.tenantId, runId, actionId: step.actionId };
      if (item !== undefined) {
        const [one] = await listItems(sqlOf(tx), { ...list, offset: item, limit: 1 });
        if (!one) throw notThere();
        return actionActivity(one, run, automationOn);
      }
      if (step.iteration !== LIST_ITERATION) return actionActivity(step, run, automationOn);
      return actionActivity(step, run, automationOn, await listItemStatuses(sqlOf(tx), list));
    },

    /** The action of a run that was started for one action alone. */
    async getSoleAction(tx: Tx, scope: TenantScope, runId: string): Promise<ActionActivity> {
      const which = { tenantId: scope.tenantId, runId };
      const run = await findRun(sqlOf(tx), which);
      const [step] = await listRunSteps(sqlOf(tx), which);
      if (!run || !step) throw notThere();
      return actionActivity(step, run, await deps.settings.automationEnabled(tx, scope.tenantId));
    },
  };
}

/** Ids of the actions whose name, as people see it, has the text in it; or whose id has, read as words. */
function calledLike(text: string, actions: readonly ActionDefinition[]): string[] {
  const wanted = text.toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(wanted);
  return actions
    .filter(({ action_id: id, friendly_name: name }) => has(name) || has(id.replace(/[._]/g, ' ')))
    .map(({ action_id: id }) => id);
}

function notThere(): AppError {
  return new AppError('NOT_FOUND', { message: 'This action run does not exist.' });
}
