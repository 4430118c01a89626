import type { Role } from '@airdeck/contracts/access/roles';
import type {
  ActionActivity,
  PlaybookRun,
  PlaybookRunSummary,
  Prompt as WirePrompt,
} from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { playbookDefinitionSchema } from '@airdeck/contracts/playbooks/schema';
import type { ActionStatus, RunStatus } from '@airdeck/contracts/statuses';
import { type Definition, singleActionDefinition } from '@airdeck/engine/definition';
import { EngineError } from '@airdeck/engine/errors';
import type { Engine, Run, StartedRun, Step } from '@airdeck/engine/interfaces';
import {
  findPrompt,
  findRun,
  findRunDefinition,
  findStep,
  listRunPrompts,
  listRunSteps,
  listRuns,
  listSteps,
  listStepsOfRuns,
} from '@airdeck/engine/reads';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { StartRun } from '../rule-responses/rule-responses-service.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { EnginePool } from './engine-pool.ts';
import { mayAnswer, promptOnTheWire } from './prompt-view.ts';
import { type RunTrigger, readTrigger } from './run-trigger.ts';
import { actionActivity, playbookRun, runSummary } from './run-view.ts';
import { refusingInvalid, requireStartable, traitsFor } from './startable.ts';

type Dependencies = {
  engine: Pick<Engine, 'startRun' | 'answerPrompt' | 'cancelRun'>;
  enginePool: Pick<EnginePool, 'client'>;
  /** What the engine must know of an action to repeat it safely; undefined when there is no such action. */
  traitsOf: ActionCatalogue['traits'];
  actions: Pick<ActionCatalogue, 'find' | 'checkInput'>;
  audit: Pick<AuditLog, 'record'>;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
};

export type ActionStart = {
  scope: TenantScope;
  actionName: string;
  input: JsonObject;
  trigger: RunTrigger;
  dedupKey: string;
  runAt: Date | undefined;
};

export type ActivityService = ReturnType<typeof createActivityService>;

/** Runs and their actions as people see and steer them. */
export function createActivityService(deps: Dependencies) {
  const sqlOf = (tx: Tx) => deps.enginePool.client(tx);

  const start = async (
    tx: Tx,
    { scope, what, inputs, trigger, dedupKey, runAt }: Parameters<StartRun>[1] & { runAt?: Date | undefined },
  ): Promise<StartedRun> => {
    await requireStartable(deps.actions, tx, scope, { what, inputs });
    const definition = what.kind === 'playbook' ? what.definition : singleActionDefinition({ name: what.name });
    const traits = await traitsFor(definition, (name) => deps.traitsOf(name, tx, scope));
    return await refusingInvalid(() =>
      deps.engine.startRun(sqlOf(tx), {
        tenantId: scope.tenantId,
        kind: what.kind === 'playbook' ? 'playbook' : 'adhoc',
        name: what.name,
        // Same grammar; the contract's optional fields may be present as undefined, which JSON drops when it is stored.
        definition: definition as Definition,
        traits,
        inputs: what.kind === 'playbook' ? inputs : { input: inputs },
        trigger,
        subject: trigger.case_id,
        dedupKey,
        ...(runAt === undefined ? {} : { runAt }),
      }),
    );
  };
  const startRun: StartRun = async (tx, how) => ({ runId: (await start(tx, how)).runId });

  async function getRun(tx: Tx, scope: TenantScope, runId: string): Promise<PlaybookRun> {
    const which = { tenantId: scope.tenantId, runId };
    const sql = sqlOf(tx);
    const run = await findRun(sql, which);
    if (run?.kind !== 'playbook') throw new AppError('NOT_FOUND', { message: 'This run does not exist.' });
    const definition = playbookDefinitionSchema.parse(await findRunDefinition(sql, which));
    const steps = await listRunSteps(sql, which);
    const prompts = await listRunPrompts(sql, which);
    const automationOn = await deps.settings.automationEnabled(tx, scope.tenantId);
    return playbookRun(run, definition, runSummary(run, { steps, prompts, actions: definition.actions, automationOn }));
  }

  return {
    startRun,
    getRun,

    /**
     * Runs one action. A second start with the same `dedupKey` answers with what the first one started; throws
     * IDEMPOTENCY_KEY_REUSED when it asked for something else.
     */
    async startAction(tx: Tx, how: ActionStart): Promise<ActionActivity> {
      const { scope, actionName, input, trigger, dedupKey, runAt } = how;
      const what = { kind: 'action', name: actionName } as const;
      const { runId, created } = await start(tx, { scope, what, inputs: input, trigger, dedupKey, runAt });
      if (!created) {
        const known = await findRun(sqlOf(tx), { tenantId: scope.tenantId, runId });
        if (known && readTrigger(known.trigger).request_hash !== trigger.request_hash) {
          throw new AppError('IDEMPOTENCY_KEY_REUSED');
        }
      }
      return await this.getSoleAction(tx, scope, runId);
    },

    /** The run of an action, as it is asked to end or to begin once more. Throws CONFLICT for an action of a playbook. */
    async findSingle(tx: Tx, scope: TenantScope, stepId: string): Promise<{ run: Run; step: Step }> {
      const sql = sqlOf(tx);
      const step = await findStep(sql, { tenantId: scope.tenantId, stepId });
      const run = step && (await findRun(sql, { tenantId: scope.tenantId, runId: step.runId }));
      if (!step || !run) throw new AppError('NOT_FOUND', { message: 'This action run does not exist.' });
      if (run.kind !== 'adhoc') {
        throw new AppError('CONFLICT', {
          message: `This action belongs to a run of "${run.name}". Cancel that run or start it again.`,
        });
      }
      return { run, step };
    },

    async cancelAction(tx: Tx, scope: TenantScope, stepId: string, caller: Caller): Promise<ActionActivity> {
      const { run } = await this.findSingle(tx, scope, stepId);
      const request = { tenantId: scope.tenantId, runId: run.id, by: caller.username };
      const { changed } = await deps.engine.cancelRun(sqlOf(tx), request);
      if (!changed) throw new AppError('RUN_FINISHED');
      return await this.getAction(tx, scope, stepId);
    },

    async listRuns(
      tx: Tx,
      scope: TenantScope,
      filter: { skip: number; limit: number; statuses: readonly RunStatus[] | undefined; q: string | undefined },
    ): Promise<{ summary: PlaybookRunSummary }[]> {
      const sql = sqlOf(tx);
      const { tenantId } = scope;
      const runs = await listRuns(sql, {
        tenantId,
        kinds: ['playbook'],
        limit: filter.limit,
        offset: filter.skip,
        ...(filter.statuses ? { statuses: filter.statuses } : {}),
        ...(filter.q ? { search: filter.q } : {}),
      });
      const steps = new Map<string, Step[]>(runs.map((run) => [run.id, []]));
      for (const step of await listStepsOfRuns(sql, { tenantId, runIds: [...steps.keys()] })) {
        steps.get(step.runId)?.push(step);
      }
      const automationOn = await deps.settings.automationEnabled(tx, tenantId);
      return runs.map((run) => ({ summary: runSummary(run, { steps: steps.get(run.id) ?? [], automationOn }) }));
    },

    async cancelRun(tx: Tx, scope: TenantScope, runId: string, caller: Caller): Promise<PlaybookRun> {
      const before = await getRun(tx, scope, runId);
      const request = { tenantId: scope.tenantId, runId: before.summary.workflow_uuid, by: caller.username };
      const { changed } = await deps.engine.cancelRun(sqlOf(tx), request);
      if (!changed) throw new AppError('RUN_FINISHED');
      return await getRun(tx, scope, runId);
    },

    async listActions(
      tx: Tx,
      scope: TenantScope,
      filter: {
        page: number;
        limit: number;
        statuses: readonly ActionStatus[] | undefined;
        ofPlaybooks: boolean | undefined;
        q: string | undefined;
      },
    ): Promise<ActionActivity[]> {
      const steps = await listSteps(sqlOf(tx), {
        tenantId: scope.tenantId,
        stepKinds: ['action'],
        limit: filter.limit,
        offset: (filter.page - 1) * filter.limit,
        ...(filter.statuses ? { statuses: filter.statuses } : {}),
        ...(filter.ofPlaybooks === undefined ? {} : { runKinds: [filter.ofPlaybooks ? 'playbook' : 'adhoc'] }),
        ...(filter.q ? { search: filter.q } : {}),
      });
      const automationOn = await deps.settings.automationEnabled(tx, scope.tenantId);
      return steps.map((step) => actionActivity(step, { kind: step.runKind, trigger: step.trigger }, automationOn));
    },

    /** One action run; with `runId` only if it belongs to that run. */
    async getAction(tx: Tx, scope: TenantScope, stepId: string, runId?: string): Promise<ActionActivity> {
      const sql = sqlOf(tx);
      const step = await findStep(sql, { tenantId: scope.tenantId, stepId });
      const run = step && (await findRun(sql, { tenantId: scope.tenantId, runId: step.runId }));
      if (!step || !run || (runId !== undefined && step.runId !== runId)) {
        throw new AppError('NOT_FOUND', { message: 'This action run does not exist.' });
      }
      return actionActivity(step, run, await deps.settings.automationEnabled(tx, scope.tenantId));
    },

    /** The action of a run that was started for one action alone. */
    async getSoleAction(tx: Tx, scope: TenantScope, runId: string): Promise<ActionActivity> {
      const which = { tenantId: scope.tenantId, runId };
      const run = await findRun(sqlOf(tx), which);
      const [step] = await listRunSteps(sqlOf(tx), which);
      if (!run || !step) throw new AppError('NOT_FOUND', { message: 'This action run does not exist.' });
      return actionActivity(step, run, await deps.settings.automationEnabled(tx, scope.tenantId));
    },

    async getPrompt(tx: Tx, scope: TenantScope, which: PromptPath, caller: Caller, role: Role): Promise<WirePrompt> {
      const prompt = await findPrompt(sqlOf(tx), { tenantId: scope.tenantId, promptId: which.promptId });
      if (prompt?.runId !== which.runId) throw new AppError('NOT_FOUND', { message: 'This question does not exist.' });
      return promptOnTheWire(prompt, caller, role);
    },

    /** Undefined when the caller is not one of the approvers; the attempt is then in the audit log. */
    async answerPrompt(
      tx: Tx,
      scope: TenantScope,
      { runId, promptId, option, comment }: PromptPath & { option: string; comment: string | undefined },
      { caller, role, requestId }: { caller: Caller; role: Role; requestId: string },
    ): Promise<WirePrompt | undefined> {
      const prompt = await this.getPrompt(tx, scope, { runId, promptId }, caller, role);
      if (!mayAnswer(prompt.approvers, caller, role)) {
        await deps.audit.record(tx, {
          tenant: scope.tenantId,
          actor: auditActor(caller),
          action: 'prompt.answer',
          target: { kind: 'prompt', id: promptId },
          outcome: 'refused',
          code: 'PROMPT_NOT_APPROVER',
          request_id: requestId,
        });
        return undefined;
      }
      const answered = await refusingPrompts(() =>
        deps.engine.answerPrompt(sqlOf(tx), {
          tenantId: scope.tenantId,
          promptId,
          option,
          username: caller.username,
          comment: comment ?? null,
        }),
      );
      return promptOnTheWire(answered, caller, role);
    },
  };
}

type PromptPath = { runId: string; promptId: string };

const promptRefusals = {
  PROMPT_ALREADY_ANSWERED: 'PROMPT_ALREADY_ANSWERED',
  PROMPT_OPTION_UNKNOWN: 'PROMPT_OPTION_UNKNOWN',
  PROMPT_EXPIRED: 'PROMPT_CLOSED',
  PROMPT_CLOSED: 'PROMPT_CLOSED',
  PROMPT_NOT_FOUND: 'NOT_FOUND',
} as const;

async function refusingPrompts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EngineError && Object.hasOwn(promptRefusals, error.code)) {
      throw new AppError(promptRefusals[error.code as keyof typeof promptRefusals], { cause: error });
    }
    throw error;
  }
}
