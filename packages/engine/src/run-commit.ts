/**
 * What a worker has to say about runs (begin, result, timer, expiry, deadline, late start), many runs in one transaction:
 *
 *   lock the runs → check the leases (fence) → load steps → doubt the jobs → apply signals → plan, bear children → save →
 *   listeners → commit
 *
 * "Write the result, unblock the successors, start them or finish the run" is therefore one commit: a crash leaves either
 * all of it or a lease that expires.
 */
import { advanceRuns, type ChildDeps } from './children.ts';
import { type ClaimedJob, jobDead } from './claimed-job.ts';
import type { DefinitionCache } from './definition-cache.ts';
import type { Failure } from './errors.ts';
import type { EngineEvent, JobEvent } from './events.ts';
import { lockHolds } from './holds.ts';
import type { EngineDeps, OnEvents, SqlClient, SqlPool } from './interfaces.ts';
import { doubtOf, type Evidence, loadCarriers } from './job-proof.ts';
import { lockHeldJobs } from './leases.ts';
import type { StepRow } from './rows.ts';
import { type Coming, loadLockedRuns, lockRuns } from './run-load.ts';
import { findStepById, type Lease, type RunModel, runJobKinds } from './run-model.ts';
import { type Retry, saveRuns } from './run-save.ts';
import {
  type AttemptResult,
  beginStep,
  type ChildEnd,
  endChild,
  expirePrompt,
  faultRun,
  finishAttempt,
  fireTimer,
  holdStep,
  type JobFate,
  requestCancel,
  timeOutRun,
} from './run-signals.ts';

export type RunSignal =
  | { readonly type: 'begin'; readonly stepId: string; readonly claims: number }
  | { readonly type: 'attempt'; readonly stepId: string; readonly result: AttemptResult }
  | { readonly type: 'timer'; readonly stepId: string }
  | { readonly type: 'expiry'; readonly stepId: string }
  | { readonly type: 'deadline' }
  | { readonly type: 'start' }
  /** The run the step started has ended. */
  | { readonly type: 'child'; readonly stepId: string }
  /** The run that started this one has begun to end. */
  | { readonly type: 'stop'; readonly by: string }
  | { readonly type: 'fault'; readonly stepId: string | null };

export type RunCommand = {
  readonly runId: string;
  readonly lease: Lease;
  /** The row that says so. Absent where the worker itself does, of a step it has begun. */
  readonly job?: ClaimedJob;
  readonly signal: RunSignal;
  /** Steps handed over in a row so far. */
  readonly chain: number;
};

/** A step this worker must execute now; its job is leased to it. */
export type BegunStep = {
  readonly model: RunModel;
  readonly step: StepRow;
  readonly lease: Lease;
  readonly chain: number;
};

export type CommandOutcome = {
  /** False: the lease was lost and nothing was changed. */
  readonly accepted: boolean;
  /** Why the job was put away instead. */
  readonly refused?: Failure;
  readonly begun: readonly BegunStep[];
};

export type CommitterDeps = ChildDeps & {
  readonly pool: SqlPool;
  readonly definitions: DefinitionCache;
  readonly owner: string;
  readonly leaseMs: number;
  readonly maxChain: number;
  readonly now: () => Date;
  /** Steps the worker can take on besides those it is running. */
  readonly freeSlots: () => number;
  /** Steps of the tenant it may take on, slots permitting. */
  readonly freeSlotsOf: (tenantId: string) => number;
  readonly onEvents: OnEvents;
  readonly holdAppliesTo: NonNullable<EngineDeps['holdAppliesTo']>;
  readonly afterCommit: (events: readonly EngineEvent[]) => void;
};

/** Commits the signals of one batch together, or rejects and leaves everything as it was. */
export async function commitSignals(commands: readonly RunCommand[], deps: CommitterDeps): Promise<CommandOutcome[]> {
  const runIds = [...new Set(commands.map(({ runId }) => runId))];
  const { outcomes, events } = await deps.pool.transaction(async (tx) => {
    const rows = await lockRuns(tx, runIds);
    const held = await lockHeldJobs(
      tx,
      deps.owner,
      commands.map(({ lease }) => lease),
    );
    const models = await loadLockedRuns(tx, rows, deps, comingOf(commands));
    const children = await loadChildren(tx, commands, models);
    const carriers = await loadCarriers(tx, commands, models);
    const holds = await lockHolds(
      tx,
      rows.map(({ tenant_id }) => tenant_id),
    );
    const isHeld = (run: RunModel) => isOnHold(run, holds, deps);
    return applyAll(tx, { commands, evidence: { models, children, carriers }, held, isOnHold: isHeld }, deps);
  });
  deps.afterCommit(events);
  return outcomes;
}

function comingOf(commands: readonly RunCommand[]): Coming {
  const signals = new Map<string, number>();
  for (const { runId } of commands) signals.set(runId, (signals.get(runId) ?? 0) + 1);
  return { signals, beginning: commands.flatMap(({ signal }) => (signal.type === 'begin' ? [signal.stepId] : [])) };
}

/** Ends of started runs that are told of, by the id of the step that waits. An ended run never changes, so none is locked. */
async function loadChildren(
  tx: SqlClient,
  commands: readonly RunCommand[],
  models: ReadonlyMap<string, RunModel>,
): Promise<ReadonlyMap<string, ChildEnd>> {
  const steps = commands.flatMap(({ runId, signal }) => {
    const model = signal.type === 'child' ? models.get(runId) : undefined;
    return (model && signal.type === 'child' ? findStepById(model, signal.stepId) : undefined) ?? [];
  });
  if (steps.length === 0) return new Map();
  const { rows } = await tx.query<ChildEnd>(
    'select id, tenant_id, parent_step_id, status, outputs, error from engine.run where id = any($1::uuid[])',
    [steps.map((step) => step.child_run_id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    steps.flatMap((step): [string, ChildEnd][] => {
      const child = byId.get(step.child_run_id ?? '');
      return child ? [[step.id, child]] : [];
    }),
  );
}

function isOnHold({ row }: RunModel, holds: ReadonlySet<string>, deps: CommitterDeps): boolean {
  return holds.has(row.tenant_id) && deps.holdAppliesTo({ kind: row.kind, trigger: row.trigger });
}

type Batch = {
  readonly commands: readonly RunCommand[];
  readonly evidence: Evidence;
  /** Jobs this worker still has. */
  readonly held: ReadonlySet<string>;
  readonly isOnHold: (model: RunModel) => boolean;
};

async function applyAll(tx: SqlClient, batch: Batch, deps: CommitterDeps) {
  const { commands, evidence, held, isOnHold } = batch;
  const { models, children } = evidence;
  const now = deps.now();
  const moved = new Set<RunModel>();
  const fates = commands.map((command) => {
    if (!held.has(command.lease.jobId)) return null;
    const { signal, job } = command;
    const doubt = job && doubtOf({ ...command, job }, evidence, now);
    const model = models.get(command.runId);
    if (doubt || !model) return doubt ?? null;
    moved.add(model);
    const waits = signal.type === 'begin' && isOnHold(model) ? holdStep(model, signal.stepId) : undefined;
    return waits ?? signalRun(model, signal, { ...deps, children }, now);
  });
  const changed = await advanceRuns(tx, moved, deps, now);
  const slots = createSlots(deps);
  const outcomes = commands.map((command, index): CommandOutcome => {
    const fate = fates[index];
    const model = models.get(command.runId);
    if (fate?.type === 'refuse') return { accepted: true, refused: fate.error, begun: [] };
    if (!fate || !model) return { accepted: false, begun: [] };
    return {
      accepted: true,
      begun: begunSteps({ model, command, fate, mayBegin: !isOnHold(model) }, slots, deps, now),
    };
  });
  const events = [...changed.flatMap(({ changes }) => changes.events), ...deadJobs(commands, fates, now)];
  await saveRuns(tx, changed, jobOutcomes(commands, fates), now);
  if (events.length > 0) await deps.onEvents(tx, events);
  return { outcomes, events };
}

function signalRun(
  model: RunModel,
  signal: RunSignal,
  deps: CommitterDeps & Pick<Evidence, 'children'>,
  now: Date,
): JobFate {
  switch (signal.type) {
    case 'begin':
      return beginStep(model, signal.stepId, signal.claims, deps, now);
    case 'attempt':
      return finishAttempt(model, signal.stepId, signal.result, deps, now);
    case 'timer':
      return fireTimer(model, signal.stepId, now);
    case 'expiry':
      return expirePrompt(model, signal.stepId, now);
    case 'deadline':
      return timeOutRun(model);
    case 'start':
      return { type: 'delete' };
    case 'child': {
      const child = deps.children.get(signal.stepId);
      return child ? endChild(model, signal.stepId, child, now) : { type: 'delete' };
    }
    case 'stop':
      requestCancel(model, signal.by, now, true);
      return { type: 'delete' };
    case 'fault':
      return faultRun(model, signal.stepId, now);
  }
}

/** The step the command began, and the new steps of the run this worker has room for: they are born leased and begun. */
function begunSteps(
  { model, command, fate, mayBegin }: { model: RunModel; command: RunCommand; fate: JobFate; mayBegin: boolean },
  slots: Slots,
  deps: CommitterDeps,
  now: Date,
): BegunStep[] {
  const { signal, lease, chain } = command;
  const begun: BegunStep[] = [];
  if (signal.type === 'begin' && fate.type === 'keep') {
    const step = findStepById(model, signal.stepId);
    if (step) begun.push({ model, step, lease, chain });
  } else {
    slots.change(model.row.tenant_id, 1);
  }
  if (chain >= deps.maxChain || !mayBegin) return begun;
  for (const job of model.changes.newJobs) {
    if (slots.free(model.row.tenant_id) < 1) break;
    const step =
      job.kind === runJobKinds.step && !job.lease && job.stepId ? findStepById(model, job.stepId) : undefined;
    if (step?.status !== 'pending') continue;
    job.lease = { owner: deps.owner, until: new Date(now.getTime() + deps.leaseMs) };
    beginStep(model, step.id, 1, deps, now);
    begun.push({ model, step, lease: { jobId: job.id, token: 1 }, chain: chain + 1 });
    slots.change(model.row.tenant_id, -1);
  }
  return begun;
}

/** Slots that are free at this moment, counted on while steps are handed over. */
type Slots = { free(tenantId: string): number; change(tenantId: string, by: number): void };

function createSlots(deps: Pick<CommitterDeps, 'freeSlots' | 'freeSlotsOf'>): Slots {
  let all = deps.freeSlots();
  const byTenant = new Map<string, number>();
  const ofTenant = (tenantId: string) => byTenant.get(tenantId) ?? deps.freeSlotsOf(tenantId);
  return {
    free: (tenantId) => Math.min(all, ofTenant(tenantId)),
    change(tenantId, by) {
      byTenant.set(tenantId, ofTenant(tenantId) + by);
      all += by;
    },
  };
}

function jobOutcomes(commands: readonly RunCommand[], fates: readonly (JobFate | null | undefined)[]) {
  const done: string[] = [];
  const retries: Retry[] = [];
  const held: string[] = [];
  const refused: { id: string; error: Failure }[] = [];
  commands.forEach(({ lease }, index) => {
    const fate = fates[index];
    if (fate?.type === 'delete') done.push(lease.jobId);
    if (fate?.type === 'retry') retries.push({ id: lease.jobId, at: fate.at, uncounted: fate.isPostponed ? 1 : 0 });
    if (fate?.type === 'hold') held.push(lease.jobId);
    if (fate?.type === 'refuse') refused.push({ id: lease.jobId, error: fate.error });
  });
  return { done, retries, held, refused };
}

function deadJobs(
  commands: readonly RunCommand[],
  fates: readonly (JobFate | null | undefined)[],
  now: Date,
): JobEvent[] {
  return commands.flatMap(({ job }, index) => {
    const fate = fates[index];
    return job && fate?.type === 'refuse' ? [jobDead(job, fate.error, now)] : [];
  });
}
