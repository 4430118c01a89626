import type { CompiledDefinition, PlaybookNode } from './definition.ts';
import type { EngineEvent, RunFacts, StepFacts } from './events.ts';
import type { ExpressionEvaluator, PromptAnswer } from './interfaces.ts';
import type { PlannedList } from './plan-draft.ts';
import type { PromptRow, RunRow, StepRow } from './rows.ts';

/** Kinds of the engine's own jobs; what follows `engine.` is never a name of the embedding program's jobs. */
export const runJobKinds = {
  step: 'engine.step',
  timer: 'engine.timer',
  promptExpiry: 'engine.prompt-expiry',
  deadline: 'engine.run-deadline',
  start: 'engine.run-start',
  /** Tells a run that the one its step started has ended. */
  childEnded: 'engine.child-ended',
  /** Tells a run that the one that started it no longer wants it. */
  stop: 'engine.run-stop',
} as const;

export type RunJobKind = (typeof runJobKinds)[keyof typeof runJobKinds];

const urgentKinds: ReadonlySet<string> = new Set(
  Object.values(runJobKinds).filter((kind) => kind !== runJobKinds.step),
);

/** Timers and word between runs: they call nothing, and let other work end or go on. */
export function isUrgentKind(kind: string): boolean {
  return urgentKinds.has(kind);
}

/** A lease a worker holds, as results must quote it. */
export type Lease = { readonly jobId: string; readonly token: number };

export type NewRunJob = {
  readonly id: string;
  readonly kind: RunJobKind;
  /** Another run than the one whose change writes the job. */
  readonly runId?: string;
  readonly payload?: unknown;
  readonly stepId: string | null;
  readonly availableAt: Date;
  /** Set when it is handed over: the job is born leased to this worker. */
  lease: { readonly owner: string; readonly until: Date } | null;
};

/**
 * A run loaded under its row lock, changed in memory by the machine and then saved in one statement. Nothing here touches
 * the database, so the whole behaviour of a run can be tested without one.
 */
export type RunModel = {
  readonly row: RunRow;
  readonly compiled: CompiledDefinition;
  /** By action id; of an action with `for_each` the step that stands for the list. */
  readonly steps: Map<string, StepRow>;
  /** Ids of actions whose outputs are still in the database only; their steps are settled, and have null here. */
  readonly unreadOutputs: Set<string>;
  /** Items of open lists by action id, each at the index of its iteration. */
  readonly items: Map<string, StepRow[]>;
  /** How much is known of the outputs of those items, where that is not all. */
  readonly listOutputs: Map<string, PlannedList['outputs']>;
  /** Items of an earlier run, by action id and iteration, that a list opened now may take over. */
  readonly reusableItems: Map<string, Map<number, StepRow>>;
  /** Ids of actions whose lists may be opened and whose reusable items are still in the database only. */
  readonly unreadItems: Set<string>;
  readonly changes: RunChanges;
};

export type RunChanges = {
  /** Set on a run that is not stored yet. */
  created: { readonly dedupKey: string | null } | null;
  run: boolean;
  readonly newSteps: Set<StepRow>;
  readonly changedSteps: Set<StepRow>;
  readonly newPrompts: PromptRow[];
  /** Runs to be started for steps that wait for them. */
  readonly newChildren: NewChild[];
  /** Started runs that are no longer wanted, by id. */
  readonly unwantedChildren: Set<string>;
  /** The run has begun to end, so runs it started are no longer wanted. */
  ending: boolean;
  /** By step id: how its prompt ended. */
  readonly closedPrompts: Map<string, PromptAnswer | null>;
  readonly newJobs: NewRunJob[];
  /** Jobs of these steps go, whoever holds them: a result that comes later finds its lease gone. */
  readonly droppedStepJobs: Set<string>;
  readonly events: EngineEvent[];
  /** What runs should be told to stop. */
  abort: boolean;
};

export type NewChild = { readonly step: StepRow; readonly node: PlaybookNode; readonly inputs: unknown };

export type MachineDeps = {
  readonly evaluator: ExpressionEvaluator;
  readonly ids: () => string;
  readonly random: () => number;
  readonly maxInputBytes: number;
  readonly maxOutputBytes: number;
  readonly maxBackoffMs: number;
  readonly maxLeaseLosses: number;
};

/** `loaded` are those that stand for an action as a whole; items of lists are added to `items`. */
export function createRunModel(row: RunRow, compiled: CompiledDefinition, loaded: Iterable<StepRow>): RunModel {
  const steps = new Map([...loaded].map((step) => [step.action_id, step]));
  return {
    row,
    compiled,
    steps,
    unreadOutputs: new Set(),
    items: new Map(),
    listOutputs: new Map(),
    reusableItems: new Map(),
    unreadItems: new Set(row.retry_of === null ? [] : unopenedLists(compiled, steps)),
    changes: noChanges(),
  };
}

/** Ids of actions with `for_each` that have no step. */
export function unopenedLists({ nodes }: CompiledDefinition, steps: Pick<ReadonlySet<string>, 'has'>): string[] {
  return nodes
    .filter((node) => node.kind === 'action' && node.for_each != null && !steps.has(node.id))
    .map(({ id }) => id);
}

export function noChanges(): RunChanges {
  return {
    created: null,
    run: false,
    newSteps: new Set(),
    changedSteps: new Set(),
    newPrompts: [],
    newChildren: [],
    unwantedChildren: new Set(),
    ending: false,
    closedPrompts: new Map(),
    newJobs: [],
    droppedStepJobs: new Set(),
    events: [],
    abort: false,
  };
}

export function findStepById(model: RunModel, stepId: string): StepRow | undefined {
  for (const step of model.steps.values()) if (step.id === stepId) return step;
  for (const items of model.items.values()) for (const item of items) if (item.id === stepId) return item;
  return undefined;
}

export function markStep(model: RunModel, step: StepRow): void {
  if (!model.changes.newSteps.has(step)) model.changes.changedSteps.add(step);
}

export function runFacts({ row }: RunModel): RunFacts {
  return {
    tenantId: row.tenant_id,
    runId: row.id,
    runKind: row.kind,
    runName: row.name,
    runStatus: row.status,
    subject: row.subject,
    trigger: row.trigger,
    dryRun: row.dry_run,
    startedWith: row.started_with,
    runCreatedAt: row.created_at,
  };
}

export function stepFacts(step: StepRow): StepFacts {
  return {
    stepId: step.id,
    actionId: step.action_id,
    iteration: step.iteration,
    stepKind: step.kind,
    stepName: step.name,
    stepStatus: step.status,
    effect: step.effect,
    attempt: step.attempt,
  };
}

/** Handed to receivers so that a repeated call is recognised. */
export function idempotencyKey(step: StepRow): string {
  return `${step.run_id}:${step.action_id}:${step.iteration}`;
}

/** The run is bound to end: nothing of it begins any more. */
export function isEnding({ row }: RunModel): boolean {
  return row.error !== null || row.cancel_requested_at !== null;
}
