/**
 * What the machine does with actions that have `for_each`. Its items say by events what became of them; the list's own step
 * only says at its end how many did what they should. It is `pending` until its first item begins, then `running`.
 */
import { traitsOf } from './definition.ts';
import type { Decision, PlannedItem, PlannedList, PlannedStep } from './plan-draft.ts';
import type { StepRow } from './rows.ts';
import { type MachineDeps, markStep, type RunModel, runFacts, runJobKinds, stepFacts } from './run-model.ts';
import { isStepSettled } from './statuses.ts';
import { addJob, addList, dropJob, moveStep, settleStep } from './step-changes.ts';

type DecisionOf<Type extends Decision['type']> = Extract<Decision, { type: Type }>;

/** The open lists as the planner sees them. */
export function plannedLists(model: RunModel): ReadonlyMap<string, PlannedList> {
  const lists = new Map<string, PlannedList>();
  for (const [id, items] of model.items) {
    const list = model.steps.get(id);
    if (!list || isStepSettled(list.status)) continue;
    lists.set(id, { items: items.map(plannedItem), outputs: model.listOutputs.get(id) ?? 'known' });
  }
  return lists;
}

function plannedItem({ status, output, error, list_turn }: StepRow): PlannedItem {
  return { status, output, error, queued: list_turn === 'queued' && !isStepSettled(status) };
}

export function openList(
  model: RunModel,
  { node, items, outputs }: DecisionOf<'list'>,
  deps: MachineDeps,
  now: Date,
): StepRow[] {
  const traits = traitsOf(model.compiled, node.action);
  const steps = addList(model, { node, length: items.length }, deps, now);
  if (outputs !== 'known') model.listOutputs.set(node.id, outputs);
  steps.forEach((step, index) => {
    const item = items[index];
    step.effect = traits.effect;
    step.idempotent = traits.idempotent;
    step.input = item?.input ?? null;
    if (item?.error) settleStep(model, step, { signal: 'fail', error: item.error }, now);
    if (item?.reused) takeOver(step, model.reusableItems.get(node.id)?.get(index), item.reused, now);
  });
  return steps;
}

function takeOver(step: StepRow, earlier: StepRow | undefined, { output }: PlannedStep, now: Date): void {
  step.status = 'success';
  step.output = output;
  step.reused = true;
  step.attempt = earlier?.attempt ?? 0;
  step.started_at = earlier?.started_at ?? null;
  step.finished_at = earlier?.finished_at ?? now;
}

export function takeItems(
  model: RunModel,
  { node, iterations }: DecisionOf<'take'>,
  deps: MachineDeps,
  now: Date,
): void {
  for (const step of itemsOf(model, node.id, iterations)) {
    step.list_turn = 'taken';
    markStep(model, step);
    addJob(model, { id: deps.ids(), kind: runJobKinds.step, stepId: step.id, availableAt: now });
  }
}

export function dropItems(model: RunModel, { node, iterations, reason }: DecisionOf<'drop'>, now: Date): void {
  for (const step of itemsOf(model, node.id, iterations)) {
    if (step.list_turn === 'taken') dropJob(model, step);
    settleStep(model, step, { signal: 'skip', reason }, now);
  }
}

function itemsOf(model: RunModel, id: string, iterations: readonly number[]): StepRow[] {
  const items = model.items.get(id) ?? [];
  return iterations.flatMap((iteration) => items[iteration] ?? []);
}

/** An item begins; so does its list, if it is the first. */
export function beginListOf(model: RunModel, item: StepRow, now: Date): void {
  const list = item.list_turn === null ? undefined : model.steps.get(item.action_id);
  if (list?.status !== 'pending') return;
  moveStep(model, list, 'begin');
  list.attempt = 1;
  list.started_at = now;
}

export function settleList(model: RunModel, decision: DecisionOf<'collect'>, now: Date): void {
  const list = model.steps.get(decision.node.id);
  if (!list) return;
  // A list of nothing, or whose items all failed before they began.
  if (list.status === 'pending' && decision.status === 'success') {
    moveStep(model, list, 'begin');
    list.started_at = now;
  }
  moveStep(model, list, signalOf[decision.status]);
  list.finished_at = now;
  list.output = decision.output;
  list.error = decision.error;
  list.skip_reason = decision.reason;
  const items = model.items.get(decision.node.id) ?? [];
  const succeeded = items.filter(({ status }) => status === 'success').length;
  model.changes.events.push({
    ...{ ...runFacts(model), ...stepFacts(list), type: 'list.finished', at: now },
    ...{ items: { total: items.length, succeeded }, error: list.error },
  });
}

const signalOf = { success: 'succeed', error: 'fail', cancelled: 'skip' } as const;
