/** A plan in the making: what the run will look like once the decisions so far are applied. */
import {
  type ActionNode,
  type CallNode,
  type CompiledDefinition,
  continuesOnError,
  type DelayNode,
  type PlaybookNode,
  type PromptNode,
} from './definition.ts';
import { engineFailureCodes, type Failure, failure } from './errors.ts';
import type { ExpressionContext, ExpressionEvaluator } from './interfaces.ts';
import type { OutputReads } from './output-reads.ts';
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

/** One item of a list; `queued` until its turn has come. */
export type PlannedItem = PlannedStep & { readonly queued: boolean };

/** The items of an action with `for_each`, in order. */
export type PlannedList = {
  readonly items: readonly PlannedItem[];
  /** Outputs are loaded only when the list may end; together they may be more than can be kept. */
  readonly outputs: 'known' | 'unknown' | 'too_large';
};

/** An item that succeeded in the run this one tries again. */
export type ReusableItem = PlannedStep & {
  /** What it was given. */
  readonly input: unknown;
  /** Size of its output as JSON text, where that was left in the database and stands as null here. */
  readonly unreadBytes?: number | null;
};

/** How one item of a list begins its life. */
export type NewItem = {
  readonly input: unknown;
  /** It has no input: rendering it failed. */
  readonly error: Failure | null;
  /** It succeeded, given the same, in the run this one tries again. */
  readonly reused: ReusableItem | null;
};

export type Decision =
  | { readonly type: 'call'; readonly node: CallNode; readonly input: unknown }
  | { readonly type: 'ask'; readonly node: PromptNode; readonly message: string }
  | { readonly type: 'delay'; readonly node: DelayNode }
  /** Starts another run and waits for it. */
  | { readonly type: 'run'; readonly node: PlaybookNode; readonly inputs: unknown }
  /** Opens a list: its items exist from now on, all of them queued. */
  | {
      readonly type: 'list';
      readonly node: CallNode;
      readonly items: readonly NewItem[];
      readonly outputs: PlannedList['outputs'];
    }
  /** The turn of these items of a list has come. */
  | { readonly type: 'take'; readonly node: CallNode; readonly iterations: readonly number[] }
  /** These items have not begun and are given up. */
  | {
      readonly type: 'drop';
      readonly node: CallNode;
      readonly iterations: readonly number[];
      readonly reason: SkipReason;
    }
  /** All items of a list are settled, and so is the list. */
  | {
      readonly type: 'collect';
      readonly node: CallNode;
      readonly status: 'success' | 'error' | 'cancelled';
      readonly output: unknown;
      readonly error: Failure | null;
      readonly reason: SkipReason | null;
    }
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
  /** By action id; actions not reached yet are absent. An action with `for_each` is there once its list is open. */
  readonly steps: ReadonlyMap<string, PlannedStep>;
  /** Ids of actions whose outputs were not loaded and stand as null in `steps`. */
  readonly unread: ReadonlySet<string>;
  /** By action id, of the lists that are open. */
  readonly lists: ReadonlyMap<string, PlannedList>;
  /** By action id and iteration. */
  readonly reusableItems: ReadonlyMap<string, ReadonlyMap<number, ReusableItem>>;
  /** Ids of actions whose reusable items were not loaded. */
  readonly unreadItems: ReadonlySet<string>;
  readonly evaluator: ExpressionEvaluator;
  readonly maxInputBytes: number;
  readonly maxOutputBytes: number;
};

export type Draft = PlanInput & {
  /** Steps as they will be when the decisions are applied. */
  readonly steps: Map<string, PlannedStep>;
  readonly lists: Map<string, PlannedList>;
  readonly context: ExpressionContext & { actions: Record<string, PlannedStep> };
  /** Calls and started runs that are pending or running; `max_concurrent_actions` bounds them. */
  active: number;
  decisions: Decision[];
};

export const unreached: PlannedStep = { status: 'pending', output: null, error: null };

export function createDraft(input: PlanInput): Draft {
  const actions: Record<string, PlannedStep> = {};
  for (const node of input.compiled.nodes) actions[node.id] = view(input.steps.get(node.id) ?? unreached);
  const { run } = input;
  const context = {
    inputs: run.inputs,
    actions,
    run: { id: run.id, tenant: run.tenantId, started_at: run.createdAt.toISOString() },
    trigger: run.trigger,
  };
  const draft = { ...input, steps: new Map(input.steps), lists: new Map(input.lists), context, decisions: [] };
  return { ...draft, active: activeCalls(draft) };
}

function activeCalls({ steps, lists }: Pick<Draft, 'steps' | 'lists'>): number {
  let active = 0;
  for (const [id, step] of steps) {
    const list = lists.get(id);
    if (list) active += list.items.filter((item) => isActive(item) && !item.queued).length;
    else if (isActive(step)) active += 1;
  }
  return active;
}

function isActive({ status }: { status: StepStatus }): boolean {
  return status === 'pending' || status === 'running';
}

/** How many more calls may be under way at once. */
export function freeCalls({ compiled, active }: Draft): number {
  return Math.max(compiled.maxConcurrent - active, 0);
}

/** The plan cannot be made without the outputs of these actions; of a list that has no step yet, without its reusable items. */
export class OutputsUnread extends Error {
  readonly actionIds: readonly string[];

  constructor(actionIds: readonly string[]) {
    super('An expression reads outputs that were not loaded.');
    this.actionIds = actionIds;
  }
}

/**
 * What an expression that reads these outputs is evaluated with: other outputs are left out, whether they were loaded or
 * not, so that what it gives does not depend on that. Throws `OutputsUnread`.
 */
export function contextFor({ context, unread }: Draft, reads: OutputReads): ExpressionContext {
  const missing = [...unread].filter((id) => reads === 'any' || reads.has(id));
  if (missing.length > 0) throw new OutputsUnread(missing);
  if (reads === 'any') return context;
  const actions = Object.entries(context.actions).map(([id, step]) => [
    id,
    step.output === null || reads.has(id) ? step : { ...step, output: null },
  ]);
  return { ...context, actions: Object.fromEntries(actions) };
}

/** Expressions see these three fields and nothing else of a step. */
function view(step: PlannedStep): PlannedStep {
  return { status: step.status, output: step.output, error: step.error };
}

export function record(draft: Draft, decision: Decision & { node: ActionNode }, step: PlannedStep): void {
  draft.decisions.push(decision);
  showStep(draft, decision.node.id, step);
}

export function showStep(draft: Draft, id: string, step: PlannedStep): void {
  draft.steps.set(id, step);
  draft.context.actions[id] = view(step);
}

export function runFailure(node: ActionNode, cause: Failure | null): Failure {
  const { code, message, details } = cause ?? failure(engineFailureCodes.stepFailed, 'no reason given');
  return {
    ...failure(code, `Action "${node.id}" failed: ${message}`),
    actionId: node.id,
    ...(details ? { details } : {}),
  };
}

/** The failure that ends the run, should there be one. */
export function firstFailure({ compiled, steps, lists }: Draft): Failure | null {
  for (const node of compiled.nodes) {
    if (continuesOnError(node)) continue;
    const failed = lists.get(node.id)?.items.find(({ status }) => status === 'error') ?? failedStep(steps.get(node.id));
    if (failed) return runFailure(node, failed.error);
  }
  return null;
}

function failedStep(step: PlannedStep | undefined): PlannedStep | undefined {
  return step?.status === 'error' ? step : undefined;
}

export function isSettled(draft: Draft, node: ActionNode): boolean {
  return isStepSettled(draft.steps.get(node.id)?.status ?? 'pending');
}
