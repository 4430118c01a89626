/**
 * The pure planner: definition + what happened so far → what to do now. No clock, no storage.
 *
 * Join rule: an action is ready when all it depends on is settled and at least one of its dependencies passed (succeeded, or
 * failed with on_error "continue"), or when it has none. When none passed it is skipped. `when` is evaluated at that point,
 * once, also for an action with `for_each`.
 * A failed action with on_error "fail" ends the run: nothing new starts, what runs may finish, the rest is skipped.
 */
import { type ActionNode, type CallNode, continuesOnError, dependenciesOf } from './definition.ts';
import { ancestryOf } from './definition-graph.ts';
import { engineFailureCodes, type Failure, failure, messageOf } from './errors.ts';
import type { ExpressionContext } from './interfaces.ts';
import { toJsonValue } from './json-value.ts';
import { type NodeReads, readsOf } from './output-reads.ts';
import {
  contextFor,
  createDraft,
  type Decision,
  type Draft,
  firstFailure,
  freeCalls,
  isSettled,
  OutputsUnread,
  type PlanInput,
  type PlannedList,
  type PlannedStep,
  record,
  runFailure,
  unreached,
} from './plan-draft.ts';
import { collectList, dropItems, openList, StepRejected, takeTurns } from './plan-lists.ts';
import { isStepSettled, type SkipReason } from './statuses.ts';

/**
 * Decisions in the order in which they must be applied. Applying them all and planning again gives none. Throws
 * `OutputsUnread` when there are none without outputs that were not loaded.
 */
export function plan(input: PlanInput): Decision[] {
  const draft = createDraft(input);
  const { error, cancelRequested } = input.run;
  const doomed = error ?? (cancelRequested ? null : firstFailure(draft));
  if (doomed && !error) draft.decisions.push({ type: 'doom', error: doomed });
  if (!doomed && !cancelRequested) collectAll(draft, null);
  // A list may fail as a whole: its outputs together are too large.
  const failed = doomed ?? (cancelRequested ? null : (doomBy(draft) ?? startReady(draft)));
  if (failed || cancelRequested) closeAll(draft, failed ? 'run_failed' : 'run_cancelled');
  finishWhenSettled(draft, failed);
  return draft.decisions;
}

function doomBy(draft: Draft): Failure | null {
  const error = firstFailure(draft);
  if (error) draft.decisions.push({ type: 'doom', error });
  return error;
}

function collectAll(draft: Draft, closing: SkipReason | null): void {
  for (const node of draft.compiled.nodes) if (node.kind === 'action') collectList(draft, node, closing);
}

type Before = { readonly steps: ReadonlyMap<string, PlannedStep>; readonly lists: ReadonlyMap<string, PlannedList> };

/** Starts and skips until nothing changes. Returns the failure that stopped it, if any; then nothing was started. */
function startReady(draft: Draft): Failure | null {
  const before = { steps: new Map(draft.steps), lists: new Map(draft.lists) };
  let changed = true;
  while (changed) {
    changed = false;
    for (const node of draft.compiled.nodes) {
      if (draft.steps.has(node.id)) continue;
      const error = consider(draft, node);
      if (error && !continuesOnError(node)) return rejectOnly(draft, before, node, error);
      changed ||= draft.steps.has(node.id);
    }
    for (const node of draft.compiled.nodes) {
      const list = draft.lists.get(node.id);
      if (!list || node.kind !== 'action') continue;
      takeTurns(draft, node, list);
      collectList(draft, node, null);
      // One that ends as it begins may fail as a whole.
      const ended = draft.steps.get(node.id);
      if (ended?.error && !continuesOnError(node)) return rejectOnly(draft, before, node, ended.error);
      changed ||= !draft.lists.has(node.id);
    }
  }
  return null;
}

/** Decides about one action that has no step yet; leaves it alone while it is blocked. */
function consider(draft: Draft, node: ActionNode): Failure | null {
  const readiness = readinessOf(draft, node);
  if (readiness === 'blocked') return null;
  if (readiness === 'dependency') {
    skip(draft, node, 'dependency');
    return null;
  }
  try {
    if (node.when && !draft.evaluator.condition(node.when, contextFor(draft, readsOfNode(draft, node).when))) {
      skip(draft, node, 'condition');
      return null;
    }
    open(draft, node);
    return null;
  } catch (error) {
    if (error instanceof OutputsUnread) throw error;
    const reason =
      error instanceof StepRejected ? error.failure : failure(engineFailureCodes.expressionFailed, messageOf(error));
    record(draft, { type: 'reject', node, error: reason }, { status: 'error', output: null, error: reason });
    return reason;
  }
}

function readinessOf(draft: Draft, node: ActionNode): 'blocked' | 'dependency' | 'ready' {
  const dependencies = dependenciesOf(node);
  if (dependencies.length === 0) return 'ready';
  const isOpen = (id: string) => !isStepSettled(draft.steps.get(id)?.status ?? 'pending');
  // Also what lies further back, which it may read: a run that tries another again does that anew behind what it took over.
  if (dependencies.some(isOpen) || [...(ancestryOf(draft.compiled).get(node.id) ?? [])].some(isOpen)) return 'blocked';
  let passed = false;
  for (const id of dependencies) {
    const step = draft.steps.get(id);
    const dependency = draft.compiled.byId.get(id);
    passed ||=
      step?.status === 'success' ||
      (step?.status === 'error' && dependency !== undefined && continuesOnError(dependency));
  }
  return passed ? 'ready' : 'dependency';
}

function skip(draft: Draft, node: ActionNode, reason: SkipReason): void {
  record(draft, { type: 'skip', node, reason }, { status: 'cancelled', output: null, error: null });
}

/** Calls, and runs that are started, wait for a free place; a list opens at once and its items wait. */
function open(draft: Draft, node: ActionNode): void {
  if (node.kind === 'prompt') {
    const message = String(draft.evaluator.render(node.message, valuesContext(draft, node)));
    record(draft, { type: 'ask', node, message }, { ...unreached, status: 'waiting' });
  } else if (node.kind === 'delay') {
    record(draft, { type: 'delay', node }, { ...unreached, status: 'waiting' });
  } else if (isRepeated(node)) {
    openList(draft, node, valuesContext(draft, node));
  } else if (freeCalls(draft) > 0) {
    const input = rendered(draft, node, node.kind === 'action' ? node.input : node.inputs);
    if (node.kind === 'action') record(draft, { type: 'call', node, input }, unreached);
    else record(draft, { type: 'run', node, inputs: input }, { ...unreached, status: 'running' });
    draft.active += 1;
  }
}

function isRepeated(node: ActionNode): node is CallNode & { for_each: string } {
  return node.kind === 'action' && node.for_each != null;
}

function rendered(draft: Draft, node: ActionNode, input: unknown): unknown {
  const check = toJsonValue(draft.evaluator.render(input ?? {}, valuesContext(draft, node)), draft.maxInputBytes);
  if (check.ok) return check.value;
  throw new StepRejected(engineFailureCodes.inputTooLarge, `The input of action "${node.id}" has ${check.message}.`);
}

function valuesContext(draft: Draft, node: ActionNode): ExpressionContext {
  return contextFor(draft, readsOfNode(draft, node).values);
}

function readsOfNode({ compiled }: Draft, { id }: ActionNode): NodeReads {
  return readsOf(compiled).nodes.get(id) ?? { when: 'any', values: 'any' };
}

/** Takes back what this plan wanted to start: after a failure nothing new starts. What it settled is settled either way. */
function rejectOnly(draft: Draft, before: Before, node: ActionNode, error: Failure): Failure {
  const settledLists = new Set(
    draft.decisions.flatMap((decision) => (decision.type === 'collect' ? [decision.node.id] : [])),
  );
  const kept = draft.decisions.filter(
    (decision) =>
      ['skip', 'reject', 'doom', 'collect'].includes(decision.type) ||
      (decision.type === 'list' && settledLists.has(decision.node.id)),
  );
  const stays = [...draft.steps].filter(([id, step]) => before.steps.has(id) || isStepSettled(step.status));
  draft.steps.clear();
  for (const [id, step] of stays) draft.steps.set(id, step);
  const openLists = [...before.lists].filter(([id]) => !settledLists.has(id));
  draft.lists.clear();
  for (const [id, list] of openLists) draft.lists.set(id, list);
  const doomed = runFailure(node, error);
  draft.decisions = [...kept, { type: 'doom', error: doomed }];
  return doomed;
}

function closeAll(draft: Draft, reason: SkipReason): void {
  for (const node of draft.compiled.nodes) {
    const step = draft.steps.get(node.id);
    const list = draft.lists.get(node.id);
    const cancelled: PlannedStep = { status: 'cancelled', output: null, error: null };
    if (!step) record(draft, { type: 'skip', node, reason }, cancelled);
    else if (list && node.kind === 'action') {
      dropItems(draft, node, list, reason);
      collectList(draft, node, reason);
    } else if (step.status === 'pending' || step.status === 'waiting')
      record(draft, { type: 'close', node, reason }, cancelled);
  }
}

function finishWhenSettled(draft: Draft, failed: Failure | null): void {
  const { compiled, run } = draft;
  if (!compiled.nodes.every((node) => isSettled(draft, node))) return;
  if (failed) draft.decisions.push({ type: 'finish', status: 'error', outputs: null, error: failed });
  else if (run.cancelRequested)
    draft.decisions.push({ type: 'finish', status: 'cancelled', outputs: null, error: null });
  else draft.decisions.push(successOf(draft));
}

function successOf(draft: Draft): Decision {
  const context = contextFor(draft, readsOf(draft.compiled).outputs);
  try {
    const check = toJsonValue(
      draft.evaluator.render(draft.compiled.definition.outputs ?? {}, context),
      draft.maxInputBytes,
    );
    if (!check.ok) throw new Error(`The outputs have ${check.message}.`);
    return { type: 'finish', status: 'success', outputs: check.value, error: null };
  } catch (error) {
    const reason = failure(engineFailureCodes.expressionFailed, `Outputs: ${messageOf(error)}`);
    return { type: 'finish', status: 'error', outputs: null, error: reason };
  }
}
