/**
 * Carries out what the planner decides on a loaded `RunModel`, in memory.
 *
 * Always holds: only transitions of `statuses.ts`; a settled step and a final run never change; a run that is not final has
 * a job or an open prompt that will move it. What may happen from outside is in `run-signals.ts`.
 */
import { traitsOf } from './definition.ts';
import { dropItems, openList, plannedLists, settleList, takeItems } from './list-changes.ts';
import type { Decision } from './plan-draft.ts';
import { plan } from './planner.ts';
import { type MachineDeps, type RunModel, runFacts, runJobKinds, stepFacts } from './run-model.ts';
import { canRunBecome, isRunStatusFinal, type RunStatus } from './statuses.ts';
import { addJob, addStep, closePrompt, dropJob, moveStep, settleStep, waitUntil } from './step-changes.ts';

type DecisionOf<Type extends Decision['type']> = Extract<Decision, { type: Type }>;

/**
 * Plans, applies, and brings the run's status up to date. Does nothing to a run that has ended, nor when it throws
 * `OutputsUnread`.
 */
export function advance(model: RunModel, deps: MachineDeps, now: Date): void {
  if (isRunStatusFinal(model.row.status)) return;
  for (const decision of decide(model, deps)) apply(model, decision, deps, now);
  if (model.changes.ending) disownChildren(model);
  if (!isRunStatusFinal(model.row.status)) showOpenStatus(model, now);
}

function decide(model: RunModel, deps: MachineDeps): Decision[] {
  const { row } = model;
  return plan({
    compiled: model.compiled,
    run: {
      id: row.id,
      tenantId: row.tenant_id,
      createdAt: row.created_at,
      inputs: row.inputs,
      trigger: row.trigger,
      error: row.error,
      cancelRequested: row.cancel_requested_at !== null,
    },
    steps: model.steps,
    unread: model.unreadOutputs,
    lists: plannedLists(model),
    reusableItems: model.reusableItems,
    unreadItems: model.unreadItems,
    evaluator: deps.evaluator,
    maxInputBytes: deps.maxInputBytes,
    maxOutputBytes: deps.maxOutputBytes,
  });
}

function apply(model: RunModel, decision: Decision, deps: MachineDeps, now: Date): void {
  switch (decision.type) {
    case 'call':
      call(model, decision, deps, now);
      break;
    case 'ask':
      ask(model, decision, deps, now);
      break;
    case 'delay':
      delay(model, decision, deps, now);
      break;
    case 'run':
      startChild(model, decision, deps, now);
      break;
    case 'list':
      openList(model, decision, deps, now);
      break;
    case 'take':
      takeItems(model, decision, deps, now);
      break;
    case 'drop':
      dropItems(model, decision, now);
      break;
    case 'collect':
      settleList(model, decision, now);
      break;
    case 'skip':
      settleStep(model, addStep(model, decision.node, deps, now), { signal: 'skip', reason: decision.reason }, now);
      break;
    case 'reject':
      settleStep(model, addStep(model, decision.node, deps, now), { signal: 'fail', error: decision.error }, now);
      break;
    case 'close':
      close(model, decision, now);
      break;
    case 'doom':
      model.row.error = decision.error;
      model.changes.run = true;
      model.changes.ending = true;
      break;
    case 'finish':
      finish(model, decision, now);
      break;
  }
}

function call(model: RunModel, { node, input }: DecisionOf<'call'>, deps: MachineDeps, now: Date): void {
  const step = addStep(model, node, deps, now);
  const traits = traitsOf(model.compiled, node.action);
  step.input = input;
  step.effect = traits.effect;
  step.idempotent = traits.idempotent;
  addJob(model, { id: deps.ids(), kind: runJobKinds.step, stepId: step.id, availableAt: now });
}

function ask(model: RunModel, { node, message }: DecisionOf<'ask'>, deps: MachineDeps, now: Date): void {
  const step = addStep(model, node, deps, now);
  const expiresAt = node.expires_in_s == null ? null : secondsAfter(now, node.expires_in_s);
  const approvers = node.approvers ?? null;
  const defaultOption = node.default_option ?? null;
  model.changes.newPrompts.push({
    id: step.id,
    run_id: step.run_id,
    action_id: node.id,
    tenant_id: step.tenant_id,
    message,
    options: node.options,
    approvers,
    asked_at: now,
    expires_at: expiresAt,
    default_option: defaultOption,
    answered: null,
    closed_at: null,
  });
  waitUntil(model, step, expiresAt, now);
  if (expiresAt)
    addJob(model, { id: deps.ids(), kind: runJobKinds.promptExpiry, stepId: step.id, availableAt: expiresAt });
  const facts = { ...runFacts(model), at: now, promptId: step.id, actionId: node.id };
  model.changes.events.push({
    ...facts,
    type: 'prompt.asked',
    message,
    options: node.options,
    approvers,
    expiresAt,
    defaultOption,
  });
}

function delay(model: RunModel, { node }: DecisionOf<'delay'>, deps: MachineDeps, now: Date): void {
  const step = addStep(model, node, deps, now);
  const until = secondsAfter(now, node.seconds);
  waitUntil(model, step, until, now);
  addJob(model, { id: deps.ids(), kind: runJobKinds.timer, stepId: step.id, availableAt: until });
}

/** The step is in progress from now on until the run it starts has ended. Its making is `children.ts`'s, which may fail. */
function startChild(model: RunModel, { node, inputs }: DecisionOf<'run'>, deps: MachineDeps, now: Date): void {
  const step = addStep(model, node, deps, now);
  step.input = inputs;
  step.attempt = 1;
  step.started_at = now;
  markRunStarted(model, now);
  moveStep(model, step, 'begin');
  model.changes.events.push({ ...runFacts(model), ...stepFacts(step), type: 'step.started', at: now, input: inputs });
  model.changes.newChildren.push({ step, node, inputs });
}

/** Runs this one started and waits for are told to stop; their steps end when they have. */
function disownChildren({ steps, changes }: RunModel): void {
  for (const step of steps.values())
    if (step.status === 'running' && step.child_run_id) changes.unwantedChildren.add(step.child_run_id);
}

function secondsAfter(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

function close(model: RunModel, { node, reason }: DecisionOf<'close'>, now: Date): void {
  const step = model.steps.get(node.id);
  if (!step) return;
  if (step.kind === 'prompt') closePrompt(model, step, 'closed', now);
  dropJob(model, step);
  settleStep(model, step, { signal: 'skip', reason }, now);
}

function finish(model: RunModel, decision: DecisionOf<'finish'>, now: Date): void {
  changeStatus(model, decision.status);
  const { row, changes } = model;
  row.outputs = decision.outputs;
  row.error = decision.error;
  row.finished_at = now;
  // What deletes the jobs of a run that ends does not see those this very change writes. Others are told, or stop, all the same.
  for (const kind of [runJobKinds.deadline, runJobKinds.start]) {
    const at = changes.newJobs.findIndex((job) => job.kind === kind);
    if (at >= 0) changes.newJobs.splice(at, 1);
  }
  changes.events.push({
    ...runFacts(model),
    type: 'run.finished',
    at: now,
    outputs: row.outputs,
    error: row.error,
    cancelledBy: row.status === 'cancelled' ? row.cancel_requested_by : null,
  });
}

/** Work in progress counts more than waiting; until something has begun the run is pending. */
function showOpenStatus(model: RunModel, now: Date): void {
  const { row, changes } = model;
  const steps = [...model.steps.values()];
  const active = steps.some(({ status }) => status === 'pending' || status === 'running');
  if (active && !row.started_at) return;
  if (!row.started_at) markRunStarted(model, now);
  const next = active ? 'running' : 'waiting';
  if (row.status === next) return;
  const resumed = row.status === 'waiting';
  changeStatus(model, next);
  if (next === 'waiting') changes.events.push({ ...runFacts(model), type: 'run.waiting', at: now });
  else if (resumed) changes.events.push({ ...runFacts(model), type: 'run.resumed', at: now });
}

/** The first step begins, or the run starts by waiting. */
export function markRunStarted(model: RunModel, now: Date): void {
  const { row, changes } = model;
  if (row.started_at) return;
  row.started_at = now;
  changeStatus(model, 'running');
  changes.events.push({ ...runFacts(model), type: 'run.started', at: now });
}

function changeStatus(model: RunModel, next: RunStatus): void {
  const { row } = model;
  if (!canRunBecome(row.status, next)) throw new Error(`A ${row.status} run cannot become ${next}.`);
  row.status = next;
  model.changes.run = true;
}
