/**
 * The pure planner: definition + what happened so far → what to do now. No clock, no storage.
 *
 * Join rule: an action is ready when all its dependencies are settled and at least one of them passed (succeeded, or failed
 * with on_error "continue"), or when it has none. When none passed it is skipped. `when` is evaluated at that point.
 * A failed action with on_error "fail" ends the run: nothing new starts, what runs may finish, the rest is skipped.
 */
import {
  type ActionNode,
  type CallNode,
  type CompiledDefinition,
  continuesOnError,
  type DelayNode,
  dependenciesOf,
  type PromptNode,
} from './definition.ts';
import { engineFailureCodes, type Failure, failure, messageOf } from './errors.ts';
import type { ExpressionContext, ExpressionEvaluator } from './interfaces.ts';
import { toJsonValue } from './json-value.ts';
import { isStepSettled, type SkipReason, type StepStatus } from './statuses.ts';

export type PlannedRun = {
  readonly id: string;
  readonly tenantId: string;
  readonly createdAt: Date;
  readonly inputs: unknown;
  readonly trigger: unknown;
  /** Set once the run is bound to end with this error. */
  readonly error: Failure | null;
  readonly cancelRequested: boolean;
};

export type PlannedStep = { readonly status: StepStatus; readonly output: unknown; readonly error: Failure | null };

export type Decision =
  | { readonly type: 'call'; readonly node: CallNode; readonly input: unknown }
  | { readonly type: 'ask'; readonly node: PromptNode; readonly message: string }
  | { readonly type: 'delay'; readonly node: DelayNode }
  | { readonly type: 'skip'; readonly node: ActionNode; readonly reason: SkipReason }
  /** The action fails without having begun. */
  | { readonly type: 'reject'; readonly node: ActionNode; readonly error: Failure }
  /** A step that has not begun, or waits, is given up. */
  | { readonly type: 'close'; readonly node: ActionNode; readonly reason: SkipReason }
  | { readonly type: 'doom'; readonly error: Failure }
  | {
      readonly type: 'finish';
      readonly status: 'success' | 'error' | 'cancelled';
      readonly outputs: unknown;
      readonly error: Failure | null;
    };

export type PlanInput = {
  readonly compiled: CompiledDefinition;
  readonly run: PlannedRun;
  /** By action id; actions not reached yet are absent. */
  readonly steps: ReadonlyMap<string, PlannedStep>;
  readonly evaluator: ExpressionEvaluator;
  readonly maxInputBytes: number;
};

/** Decisions in the order in which they must be applied. Applying them all and planning again gives none. */
export function plan(input: PlanInput): Decision[] {
  const draft = createDraft(input);
  const doomed = input.run.error ?? (input.run.cancelRequested ? null : firstFailure(input.compiled, draft.steps));
  if (doomed && !input.run.error) draft.decisions.push({ type: 'doom', error: doomed });
  const failed = doomed ?? (input.run.cancelRequested ? null : startReady(draft));
  if (failed || input.run.cancelRequested) closeAll(draft, failed ? 'run_failed' : 'run_cancelled');
  finishWhenSettled(draft, failed);
  return draft.decisions;
}

type Draft = PlanInput & {
  /** Steps as they will be when the decisions are applied. */
  readonly steps: Map<string, PlannedStep>;
  readonly context: ExpressionContext & { actions: Record<string, PlannedStep> };
  decisions: Decision[];
};

function createDraft(input: PlanInput): Draft {
  const actions: Record<string, PlannedStep> = {};
  for (const node of input.compiled.nodes) actions[node.id] = view(input.steps.get(node.id) ?? unreached);
  const { run } = input;
  const context = {
    inputs: run.inputs,
    actions,
    run: { id: run.id, tenant: run.tenantId, started_at: run.createdAt.toISOString() },
    trigger: run.trigger,
  };
  return { ...input, steps: new Map(input.steps), context, decisions: [] };
}

const unreached: PlannedStep = { status: 'pending', output: null, error: null };

/** Expressions see these three fields and nothing else of a step. */
function view(step: PlannedStep): PlannedStep {
  return { status: step.status, output: step.output, error: step.error };
}

function record(draft: Draft, decision: Decision & { node: ActionNode }, step: PlannedStep): void {
  draft.decisions.push(decision);
  draft.steps.set(decision.node.id, step);
  draft.context.actions[decision.node.id] = view(step);
}

function firstFailure(compiled: CompiledDefinition, steps: ReadonlyMap<string, PlannedStep>): Failure | null {
  for (const node of compiled.nodes) {
    const step = steps.get(node.id);
    if (step?.status === 'error' && !continuesOnError(node)) return runFailure(node, step.error);
  }
  return null;
}

function runFailure(node: ActionNode, cause: Failure | null): Failure {
  const { code, message } = cause ?? failure(engineFailureCodes.stepFailed, 'no reason given');
  return { ...failure(code, `Action "${node.id}" failed: ${message}`), actionId: node.id };
}

/** Starts and skips until nothing changes. Returns the failure that stopped it, if any; then nothing was started. */
function startReady(draft: Draft): Failure | null {
  const before = { steps: new Map(draft.steps), decisions: [...draft.decisions] };
  let changed = true;
  while (changed) {
    changed = false;
    for (const node of draft.compiled.nodes) {
      if (draft.steps.has(node.id)) continue;
      const error = consider(draft, node);
      if (error && !continuesOnError(node)) return rejectOnly(draft, before, node, error);
      changed ||= draft.steps.has(node.id);
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
    if (node.when && !draft.evaluator.condition(node.when, draft.context)) {
      skip(draft, node, 'condition');
      return null;
    }
    if (node.kind !== 'action' || activeCalls(draft) < draft.compiled.maxConcurrent) open(draft, node);
    return null;
  } catch (error) {
    const code =
      error instanceof InputTooLarge ? engineFailureCodes.inputTooLarge : engineFailureCodes.expressionFailed;
    const reason = failure(code, messageOf(error));
    record(draft, { type: 'reject', node, error: reason }, { status: 'error', output: null, error: reason });
    return reason;
  }
}

function readinessOf(draft: Draft, node: ActionNode): 'blocked' | 'dependency' | 'ready' {
  const dependencies = dependenciesOf(node);
  if (dependencies.length === 0) return 'ready';
  let passed = false;
  for (const id of dependencies) {
    const step = draft.steps.get(id);
    if (!step || !isStepSettled(step.status)) return 'blocked';
    const dependency = draft.compiled.byId.get(id);
    passed ||=
      step.status === 'success' ||
      (step.status === 'error' && dependency !== undefined && continuesOnError(dependency));
  }
  return passed ? 'ready' : 'dependency';
}

function activeCalls(draft: Draft): number {
  let active = 0;
  for (const step of draft.steps.values()) if (step.status === 'pending' || step.status === 'running') active += 1;
  return active;
}

function skip(draft: Draft, node: ActionNode, reason: SkipReason): void {
  record(draft, { type: 'skip', node, reason }, { status: 'cancelled', output: null, error: null });
}

class InputTooLarge extends Error {}

function open(draft: Draft, node: ActionNode): void {
  if (node.kind === 'action') {
    const rendered = toJsonValue(draft.evaluator.render(node.input ?? {}, draft.context), draft.maxInputBytes);
    if (!rendered.ok) throw new InputTooLarge(`The input of action "${node.id}" has ${rendered.message}.`);
    record(draft, { type: 'call', node, input: rendered.value }, unreached);
  } else if (node.kind === 'prompt') {
    const message = String(draft.evaluator.render(node.message, draft.context));
    record(draft, { type: 'ask', node, message }, { ...unreached, status: 'waiting' });
  } else {
    record(draft, { type: 'delay', node }, { ...unreached, status: 'waiting' });
  }
}

/** Takes back what this plan wanted to start: after a failure nothing new starts. What it skipped is skipped either way. */
function rejectOnly(
  draft: Draft,
  before: { steps: Map<string, PlannedStep>; decisions: Decision[] },
  node: ActionNode,
  error: Failure,
): Failure {
  const kept = draft.decisions.filter(({ type }) => type === 'skip' || type === 'reject' || type === 'doom');
  const settled = new Map([...draft.steps].filter(([id, step]) => before.steps.has(id) || isStepSettled(step.status)));
  draft.steps.clear();
  for (const [id, step] of settled) draft.steps.set(id, step);
  const doomed = runFailure(node, error);
  draft.decisions = [...kept, { type: 'doom', error: doomed }];
  return doomed;
}

function closeAll(draft: Draft, reason: SkipReason): void {
  for (const node of draft.compiled.nodes) {
    const step = draft.steps.get(node.id);
    const cancelled: PlannedStep = { status: 'cancelled', output: null, error: null };
    if (!step) record(draft, { type: 'skip', node, reason }, cancelled);
    else if (step.status === 'pending' || step.status === 'waiting')
      record(draft, { type: 'close', node, reason }, cancelled);
  }
}

function finishWhenSettled(draft: Draft, failed: Failure | null): void {
  const { compiled, steps } = draft;
  const done = compiled.nodes.every((node) => isStepSettled(steps.get(node.id)?.status ?? 'pending'));
  if (!done) return;
  if (failed) draft.decisions.push({ type: 'finish', status: 'error', outputs: null, error: failed });
  else if (draft.run.cancelRequested)
    draft.decisions.push({ type: 'finish', status: 'cancelled', outputs: null, error: null });
  else draft.decisions.push(successOf(draft));
}

function successOf(draft: Draft): Decision {
  try {
    const rendered = toJsonValue(
      draft.evaluator.render(draft.compiled.definition.outputs ?? {}, draft.context),
      draft.maxInputBytes,
    );
    if (!rendered.ok) throw new InputTooLarge(`The outputs have ${rendered.message}.`);
    return { type: 'finish', status: 'success', outputs: rendered.value, error: null };
  } catch (error) {
    const reason = failure(engineFailureCodes.expressionFailed, `Outputs: ${messageOf(error)}`);
    return { type: 'finish', status: 'error', outputs: null, error: reason };
  }
}
