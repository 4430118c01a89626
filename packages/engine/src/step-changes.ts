import { type ActionNode, type CallNode, LIST_ITERATION } from './definition.ts';
import type { Failure } from './errors.ts';
import type { PromptAnswer } from './interfaces.ts';
import type { StepRow } from './rows.ts';
import { type MachineDeps, markStep, type RunJobKind, type RunModel, runFacts, stepFacts } from './run-model.ts';
import { nextStepStatus, type SkipReason, type StepSignal } from './statuses.ts';

/** How a step ends. */
export type Settlement =
  | { readonly signal: 'succeed'; readonly output: unknown }
  | { readonly signal: 'fail'; readonly error: Failure }
  | { readonly signal: 'skip'; readonly reason: SkipReason };

export function addStep(model: RunModel, node: ActionNode, deps: MachineDeps, now: Date): StepRow {
  const step = newStep(model, node, deps, now);
  model.steps.set(node.id, step);
  return step;
}

/** The step that stands for a whole list, and one step for each of its `length` items. */
export function addList(
  model: RunModel,
  { node, length }: { node: CallNode; length: number },
  deps: MachineDeps,
  now: Date,
): StepRow[] {
  addStep(model, node, deps, now).iteration = LIST_ITERATION;
  const items = Array.from({ length }, (_, iteration): StepRow => {
    const item = newStep(model, node, deps, now);
    item.iteration = iteration;
    item.list_turn = 'queued';
    return item;
  });
  model.items.set(node.id, items);
  return items;
}

function newStep(model: RunModel, node: ActionNode, deps: MachineDeps, now: Date): StepRow {
  const step: StepRow = {
    id: deps.ids(),
    run_id: model.row.id,
    tenant_id: model.row.tenant_id,
    action_id: node.id,
    iteration: 0,
    kind: node.kind,
    name: node.kind === 'action' ? node.action : node.id,
    status: 'pending',
    skip_reason: null,
    attempt: 0,
    failures: 0,
    input: null,
    output: null,
    error: null,
    effect: null,
    idempotent: true,
    list_turn: null,
    child_run_id: null,
    reused: false,
    call_started_at: null,
    available_at: null,
    created_at: now,
    started_at: null,
    finished_at: null,
  };
  model.changes.newSteps.add(step);
  return step;
}

export function addJob(
  model: RunModel,
  job: { id: string; kind: RunJobKind; stepId: string | null; availableAt: Date; runId?: string; payload?: unknown },
): void {
  model.changes.newJobs.push({ ...job, lease: null });
}

/** Takes the step's job away. One that this very change writes would not be seen by what deletes it, so it is not written. */
export function dropJob(model: RunModel, step: StepRow): void {
  const { newJobs, droppedStepJobs } = model.changes;
  const at = newJobs.findIndex(({ stepId }) => stepId === step.id);
  if (at < 0) droppedStepJobs.add(step.id);
  else newJobs.splice(at, 1);
}

/** Opens a prompt or delay. */
export function waitUntil(model: RunModel, step: StepRow, until: Date | null, now: Date): void {
  step.status = 'waiting';
  step.available_at = until;
  step.started_at = now;
  model.changes.events.push({ ...runFacts(model), ...stepFacts(step), type: 'step.waiting', at: now, until });
}

export function moveStep(model: RunModel, step: StepRow, signal: StepSignal): void {
  const next = nextStepStatus(step.status, signal);
  if (next === null) throw new Error(`A ${step.status} step cannot ${signal}.`);
  step.status = next;
  markStep(model, step);
}

export function settleStep(model: RunModel, step: StepRow, how: Settlement, now: Date): void {
  moveStep(model, step, how.signal);
  step.finished_at = now;
  step.available_at = null;
  if (how.signal === 'succeed') {
    step.output = how.output;
    step.error = null;
  } else if (how.signal === 'fail') {
    step.error = how.error;
  } else {
    step.skip_reason = how.reason;
  }
  const facts = { ...runFacts(model), ...stepFacts(step), at: now };
  model.changes.events.push(
    how.signal === 'skip'
      ? { ...facts, type: 'step.skipped', reason: how.reason }
      : { ...facts, type: 'step.finished', output: step.output, error: step.error, startedAt: step.started_at },
  );
}

/** Ends the prompt of a step: answered, expired without default, or closed because the run ends. */
export function closePrompt(model: RunModel, step: StepRow, how: PromptAnswer | 'expired' | 'closed', now: Date): void {
  const facts = { ...runFacts(model), at: now, promptId: step.id, actionId: step.action_id };
  const answer = typeof how === 'string' ? null : how;
  const asked = model.changes.newPrompts.find(({ id }) => id === step.id);
  if (asked) {
    // It is not stored yet, so it is stored as closed.
    asked.answered = answer && { ...answer, at: answer.at.toISOString() };
    asked.closed_at = now;
  } else {
    model.changes.closedPrompts.set(step.id, answer);
  }
  if (typeof how === 'string') {
    model.changes.events.push({ ...facts, type: how === 'expired' ? 'prompt.expired' : 'prompt.closed' });
  } else {
    model.changes.events.push({ ...facts, type: 'prompt.answered', answer: how });
  }
}
