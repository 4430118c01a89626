import { createHash } from 'node:crypto';
import type { PlaybookRun, PlaybookRunSummary } from '@airdeck/contracts/activity/schema';
import { type PlaybookDefinition, playbookDefinitionSchema } from '@airdeck/contracts/playbooks/schema';
import { EngineError } from '@airdeck/engine/errors';
import type { Engine, StartedRun, StepOutline } from '@airdeck/engine/interfaces';
import { findRun, findRunDefinition, listRunPrompts, listStepsOfRuns } from '@airdeck/engine/reads';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { PlaybookRunNotes, RunnablePlaybook, TryPlaybook } from '../playbooks/playbooks-port.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import { type Canceller, cancelRun } from './run-cancel.ts';
import { listRunPage, type RunPage } from './run-pages.ts';
import { runOfKey, type StartRunOf, startOnce } from './run-starts.ts';
import { type RunTrigger, readTrigger } from './run-trigger.ts';
import { playbookRun, runSummary } from './run-view.ts';
import { refusingInvalid } from './startable.ts';

type Dependencies = Parameters<typeof cancelRun>[0] & {
  engine: Pick<Engine, 'startRun'>;
  start: StartRunOf;
  playbookRuns: PlaybookRunNotes;
  settings: Pick<TenantSettingsPort, 'automationEnabled'>;
  manualTrigger: (tx: Tx, scope: TenantScope, caller: Caller) => Promise<RunTrigger>;
  /** What people call cases, by their ids. */
  caseReferences: (tx: Tx, scope: TenantScope, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Whether the tenant has this case. */
  caseExists: (tx: Tx, scope: TenantScope, caseId: string) => Promise<boolean>;
  ids: () => string;
};

type PlaybookStart = Omit<Parameters<TryPlaybook>[1], 'playbook'> & {
  /** A published playbook is the same request whatever version it has by now; a draft is one by its definition. */
  of: { playbookId: string | null; draft: PlaybookDefinition | null };
  /** Asked for only when something is to be started. */
  playbook: () => Promise<RunnablePlaybook>;
  dryRun: boolean;
  /** The case it answers. */
  caseId?: string | null | undefined;
};
type Retry = { runId: string; from: string | undefined; idempotencyKey: string | undefined };

/** Runs of playbooks as people start, see and end them. */
export function createPlaybookRuns(deps: Dependencies) {
  const sqlOf = (tx: Tx) => deps.enginePool.client(tx);

  function referencesOf(tx: Tx, scope: TenantScope, runs: readonly { trigger: unknown }[]) {
    return deps.caseReferences(
      tx,
      scope,
      runs.flatMap(({ trigger }) => readTrigger(trigger).case_id ?? []),
    );
  }

  async function get(tx: Tx, scope: TenantScope, runId: string): Promise<PlaybookRun> {
    const which = { tenantId: scope.tenantId, runId };
    const sql = sqlOf(tx);
    const run = await findRun(sql, which);
    if (run?.kind !== 'playbook') throw new AppError('NOT_FOUND', { message: 'This run does not exist.' });
    const definition = playbookDefinitionSchema.parse(await findRunDefinition(sql, which));
    const steps = await listStepsOfRuns(sql, { tenantId: scope.tenantId, runIds: [runId] });
    const prompts = await listRunPrompts(sql, which);
    const automationOn = await deps.settings.automationEnabled(tx, scope.tenantId);
    const playbookId = (await deps.playbookRuns.playbooksOf(tx, scope, [runId])).get(runId)?.playbookId ?? null;
    const references = await referencesOf(tx, scope, [run]);
    const actions = definition.actions;
    const summary = runSummary(run, { steps, prompts, actions, automationOn, playbookId, references });
    return playbookRun(run, definition, summary);
  }

  /** What the key was answered with the first time, whatever would be refused by now. Throws IDEMPOTENCY_KEY_REUSED. */
  async function answered(tx: Tx, request: Request): Promise<PlaybookRun | undefined> {
    const { scope, idempotencyKey } = request;
    if (idempotencyKey === undefined) return undefined;
    const dedupKey = dedupKeyOf(deps, request);
    const which = { tenantId: scope.tenantId, dedupKey, requestHash: hashOf(request) };
    const run = await runOfKey(sqlOf(tx), which);
    return run && (await get(tx, scope, run.id));
  }

  async function start(
    tx: Tx,
    { scope, caller, of, playbook: find, inputs, idempotencyKey, dryRun, caseId = null }: PlaybookStart,
  ): Promise<PlaybookRun> {
    // Without a case as it always was: keys of before are still known.
    const asked = [of.playbookId, of.draft, inputs, dryRun, ...(caseId === null ? [] : [caseId])];
    const before = await answered(tx, { scope, caller, idempotencyKey, asked });
    if (before) return before;
    await requireAutomation(deps, tx, scope);
    const playbook = await find();
    if (caseId !== null && !(await deps.caseExists(tx, scope, caseId)))
      throw new AppError('NOT_FOUND', { message: 'This case does not exist.' });
    const { runId } = await deps.start(tx, {
      scope,
      what: { kind: 'playbook', ...playbook },
      inputs,
      trigger: { ...(await requestedBy(deps, tx, { scope, caller, idempotencyKey, asked })), case_id: caseId },
      startedWith: caller.apiKey?.id,
      dedupKey: dedupKeyOf(deps, { caller, idempotencyKey }),
      dryRun,
    });
    return await get(tx, scope, runId);
  }

  return {
    get,
    start,
    /**
     * A dry run: the engine calls nothing but actions that read. What it would have sent stands in the run. Nobody is told
     * of it, and its questions are answered by whoever started it.
     */
    tryPlaybook: (async (tx, { playbook, ...trial }) => {
      const { playbookId, version, definition } = playbook;
      const of = { playbookId, draft: version === 0 ? definition : null };
      return await start(tx, { ...trial, of, playbook: () => Promise.resolve(playbook), dryRun: true });
    }) satisfies TryPlaybook,

    async list(
      tx: Tx,
      scope: TenantScope,
      page: Omit<RunPage, 'tenantId'>,
    ): Promise<{ summary: PlaybookRunSummary }[]> {
      const { tenantId } = scope;
      const runs = await listRunPage(sqlOf(tx), { ...page, tenantId });
      const runIds = runs.map(({ id }) => id);
      const steps = new Map<string, StepOutline[]>(runIds.map((id) => [id, []]));
      for (const step of await listStepsOfRuns(sqlOf(tx), { tenantId, runIds })) steps.get(step.runId)?.push(step);
      const playbooks = await deps.playbookRuns.playbooksOf(tx, scope, runIds);
      const automationOn = await deps.settings.automationEnabled(tx, tenantId);
      const references = await referencesOf(tx, scope, runs);
      return runs.map((run) => {
        const playbookId = playbooks.get(run.id)?.playbookId ?? null;
        return { summary: runSummary(run, { steps: steps.get(run.id) ?? [], automationOn, playbookId, references }) };
      });
    },

    async cancel(tx: Tx, scope: TenantScope, runId: string, by: Canceller): Promise<PlaybookRun> {
      const before = await get(tx, scope, runId);
      await cancelRun(deps, tx, scope, before.summary.workflow_uuid, by);
      return await get(tx, scope, runId);
    },

    async retry(
      tx: Tx,
      scope: TenantScope,
      caller: Caller,
      { runId, from, idempotencyKey }: Retry,
    ): Promise<PlaybookRun> {
      const asked = [runId, from ?? null];
      const known = await answered(tx, { scope, caller, idempotencyKey, asked });
      if (known) return known;
      const before = await get(tx, scope, runId);
      if (before.summary.time_finished === null) throw new AppError('RUN_NOT_FINISHED');
      await requireAutomation(deps, tx, scope);
      const earlier = await findRun(sqlOf(tx), { tenantId: scope.tenantId, runId });
      const { case_id, response_name, connector_id } = readTrigger(earlier?.trigger);
      const playbook = (await deps.playbookRuns.playbooksOf(tx, scope, [runId])).get(runId);
      const trigger: RunTrigger = {
        ...(await requestedBy(deps, tx, { scope, caller, idempotencyKey, asked })),
        // It goes on with what the earlier one was for, with the rights of whoever asks for it now.
        ...{ case_id, response_name, connector_id },
        ...(playbook ? { playbook_id: playbook.playbookId, playbook_version: playbook.version } : {}),
      };
      const { runId: next } = await refusingRetry(() =>
        startOnce(sqlOf(tx), { tenantId: scope.tenantId, trigger }, () =>
          deps.engine.startRun(sqlOf(tx), {
            tenantId: scope.tenantId,
            reuse: { runId, ...(from === undefined ? {} : { from }) },
            trigger,
            startedWith: caller.apiKey?.id ?? null,
            dedupKey: dedupKeyOf(deps, { caller, idempotencyKey }),
          }),
        ),
      );
      return await get(tx, scope, next);
    },
  };
}

/** Not put aside like what runs already: nobody expects it to start hours later. */
async function requireAutomation(
  { settings }: Pick<Dependencies, 'settings'>,
  tx: Tx,
  scope: TenantScope,
): Promise<void> {
  if (await settings.automationEnabled(tx, scope.tenantId)) return;
  throw new AppError('CONFLICT', {
    message: 'Automation is switched off for this tenant, so playbooks do not run. Single actions still run by hand.',
  });
}

type Request = { scope: TenantScope; caller: Caller; idempotencyKey: string | undefined; asked: readonly unknown[] };

async function requestedBy(deps: Pick<Dependencies, 'manualTrigger'>, tx: Tx, request: Request): Promise<RunTrigger> {
  const trigger = await deps.manualTrigger(tx, request.scope, request.caller);
  return request.idempotencyKey === undefined ? trigger : { ...trigger, request_hash: hashOf(request) };
}

function hashOf({ asked }: Request): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

/** Bound to who sent it: another person's key is another one. */
function dedupKeyOf(
  { ids }: Pick<Dependencies, 'ids'>,
  { caller, idempotencyKey }: Pick<Request, 'caller' | 'idempotencyKey'>,
): string {
  return idempotencyKey === undefined ? ids() : `playbook/${caller.userId}/${idempotencyKey}`;
}

async function refusingRetry(work: () => Promise<StartedRun>): Promise<StartedRun> {
  try {
    return await refusingInvalid(work);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === 'RUN_NOT_FINISHED') throw new AppError('RUN_NOT_FINISHED', { cause: error });
    if (error.code === 'RUN_BEING_RETRIED') {
      const message = 'This run is being tried again already. Wait until that run has ended.';
      throw new AppError('CONFLICT', { message, cause: error });
    }
    if (error.code === 'ACTION_UNKNOWN') {
      const details = [{ path: 'body.from_action', message: 'is no action of this run' }];
      throw new AppError('VALIDATION_FAILED', { message: error.message, details, cause: error });
    }
    throw error;
  }
}
