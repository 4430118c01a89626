import type {
  ActionActivity,
  PlaybookRun,
  PlaybookRunSummary,
  RunActionSummary,
} from '@airdeck/contracts/activity/schema';
import { objectOf } from '@airdeck/contracts/json-object';
import type { PlaybookAction, PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import type { ActionRunType } from '@airdeck/contracts/statuses';
import { engineFailureCodes, type Failure } from '@airdeck/engine/errors';
import type { Prompt, Run, RunOutline, Step, StepOutline } from '@airdeck/engine/interfaces';
import { type RunTrigger, readTrigger, stopsWithAutomation, triggerInfo } from './run-trigger.ts';

/** Engine rows as the wire knows them (spec §3: playbook run, playbook action result, action activity). */

/**
 * `actions` is the run's definition where the answer shows every action in its order, also those the run has not come to;
 * lists leave it empty and show the actions that came up.
 */
export function runSummary(
  run: RunOutline,
  {
    steps,
    prompts = [],
    actions = [],
    automationOn,
    playbookId,
    references,
  }: {
    steps: readonly StepOutline[];
    prompts?: readonly Prompt[];
    actions?: readonly PlaybookAction[];
    automationOn: boolean;
    playbookId: string | null;
    /** Of cases, by their ids. */
    references: ReadonlyMap<string, string>;
  },
): PlaybookRunSummary {
  const promptByStep = new Map(prompts.map((prompt) => [prompt.stepId, prompt.id]));
  const position = new Map(actions.map((action, index) => [action.id, index]));
  const reached = new Set(steps.map((step) => step.actionId));
  const summaries = [
    ...steps.map((step) => stepSummary(step, promptByStep.get(step.id) ?? null, run.dryRun)),
    ...actions.filter((action) => !reached.has(action.id)).map((action) => unreachedSummary(action, run)),
  ].sort((a, b) => (position.get(a.workflow_action_id) ?? 0) - (position.get(b.workflow_action_id) ?? 0));
  return {
    trigger_info: triggerInfo(readTrigger(run.trigger), references),
    actions_summary: summaries,
    workflow_uuid: run.id,
    workflow_name: run.name,
    status: run.status,
    tenant: run.tenantId,
    time_created: run.createdAt.toISOString(),
    time_updated: run.updatedAt.toISOString(),
    time_finished: run.finishedAt?.toISOString() ?? null,
    error_info: errorInfo(run.error),
    ...onHold(run, steps, automationOn),
    ...(run.dryRun ? { dry_run: true } : {}),
    retry_of: run.retryOf,
    parent_run_id: run.parentRunId,
    playbook_id: playbookId,
  };
}

/** Some action could begin, and does not until automation is switched on again. */
function onHold(
  run: Pick<Run, 'kind' | 'trigger'>,
  steps: readonly Pick<Step, 'status'>[],
  automationOn: boolean,
): { on_hold?: true } {
  if (automationOn || !stopsWithAutomation(run)) return {};
  return steps.some(({ status }) => status === 'pending') ? { on_hold: true } : {};
}

function unreachedSummary(action: PlaybookAction, run: RunOutline): RunActionSummary {
  return {
    status: run.finishedAt ? 'cancelled' : 'pending',
    action_uuid: null,
    workflow_action_id: action.id,
    action_name: action.kind === 'action' ? action.action : action.id,
    kind: action.kind,
    items: null,
    child_run_id: null,
    prompt_id: null,
    skip_reason: null,
    time_started: null,
    time_finished: null,
  };
}

export function playbookRun(run: Run, definition: PlaybookDefinition, summary: PlaybookRunSummary): PlaybookRun {
  return {
    playbook: {
      soar_object_type: 'WorkflowInstance',
      tenant_id: run.tenantId,
      workflow_instance_id: run.id,
      definition,
      trigger_info: summary.trigger_info,
      inputs: objectOf(run.inputs),
      outputs: run.outputs === null || run.outputs === undefined ? null : objectOf(run.outputs),
    },
    summary,
  };
}

export function actionActivity(
  step: Step,
  run: Pick<Run, 'kind' | 'trigger' | 'dryRun'>,
  automationOn: boolean,
  items?: readonly Pick<Step, 'iteration' | 'status'>[],
): ActionActivity {
  const adhoc = run.kind === 'adhoc';
  const name = step.name;
  return {
    summary: {
      status: step.status,
      workflow_instance_id: adhoc ? null : step.runId,
      action_name: name,
      type: actionRunType(adhoc, readTrigger(run.trigger)),
      time_created: step.createdAt.toISOString(),
      time_updated: (step.finishedAt ?? step.startedAt ?? step.createdAt).toISOString(),
    },
    details: {
      action_output: step.output ?? null,
      error_info: errorInfo(step.error),
      action_name: name,
      action_input: objectOf(step.input),
      context: {
        action_uuid: step.id,
        adhoc,
        attempt_count: step.attempt,
        tenant_id: step.tenantId,
        time_scheduled: readTrigger(run.trigger).time_scheduled ?? step.availableAt?.toISOString() ?? null,
        workflow_action_id: adhoc ? null : step.actionId,
        workflow_instance_id: adhoc ? null : step.runId,
        case_id: readTrigger(run.trigger).case_id,
        ...onHold(run, [step], automationOn),
        ...(readTrigger(run.trigger).automation_off ? { automation_off: true } : {}),
        ...(run.dryRun ? { dry_run: true } : {}),
      },
      ...(items === undefined ? {} : { items: items.map(({ iteration: index, status }) => ({ index, status })) }),
    },
  };
}

function actionRunType(adhoc: boolean, trigger: RunTrigger): ActionRunType {
  if (!adhoc) return 'workflow';
  return trigger.trigger_type === 'event' ? 'event' : 'manual';
}

function stepSummary(step: StepOutline, promptId: string | null, dryRun: boolean): RunActionSummary {
  return {
    status: step.status,
    action_uuid: step.id,
    workflow_action_id: step.actionId,
    action_name: step.name,
    kind: step.kind,
    items: itemCounts(step),
    child_run_id: step.childRunId,
    ...(step.reused ? { reused: true } : {}),
    ...(isOutcomeUnknown(step) ? { outcome_unknown: true } : {}),
    ...(dryRun && isLeftUncalled(step) ? { not_called: true } : {}),
    prompt_id: promptId,
    skip_reason: step.skipReason,
    time_started: step.startedAt?.toISOString() ?? null,
    time_finished: step.finishedAt?.toISOString() ?? null,
  };
}

function itemCounts({ items }: StepOutline): RunActionSummary['items'] {
  return items && { total: items.total, ended: items.ended, failed: items.failed };
}

/** Also of a started playbook, which fails as what failed in it. */
function isOutcomeUnknown({ error, items }: StepOutline): boolean {
  return error?.code === engineFailureCodes.outcomeUnknown || (items?.unknown ?? 0) > 0;
}

/** The executor let it pass without calling anything. */
function isLeftUncalled({ kind, effect, status }: StepOutline): boolean {
  return kind === 'action' && effect !== null && effect !== 'reads' && status === 'success';
}

/** The engine also keeps which action failed a run; the wire says that by the actions' statuses. */
function errorInfo(error: Failure | null): PlaybookRunSummary['error_info'] {
  return error && { code: error.code, message: error.message, retryable: error.retryable };
}
