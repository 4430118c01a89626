/**
 * Runs that runs start (nodes of kind "playbook").
 *
 *   parent's step begins ──► child run created, same transaction ──► … ──► child ends ──► job engine.child-ended ──► step ends
 *   parent begins to end ──► job engine.run-stop per child ──► child is cancelled ──► child ends ──► as above
 *
 * Always holds: a step that waits is `running` and its child exists and is open, or word of its end is under way as a job. A
 * crash loses neither, since each is written with the change it tells of. No transaction locks a run because of another one:
 * a child is born in the transaction of its parent, everything later travels as jobs, so parent and child cannot block each
 * other. A child that ends where it is born (all of it was skipped) settles its step at once.
 */
import { requireValid, type ValidityDeps } from './definition-check.ts';
import { EngineError, engineFailureCodes, type Failure, failure, StepFailure } from './errors.ts';
import type { ResolvedPlaybook, ResolvePlaybook, SqlClient } from './interfaces.ts';
import { OutputsUnread } from './plan-draft.ts';
import { readOutputs } from './run-load.ts';
import { advance } from './run-machine.ts';
import { isEnding, type MachineDeps, type NewChild, type RunModel, runJobKinds } from './run-model.ts';
import { newRunModel } from './run-row.ts';
import { endChild } from './run-signals.ts';
import { isRunStatusFinal, isStepSettled } from './statuses.ts';
import { addJob, settleStep } from './step-changes.ts';

/** Runs below a run: a started run, one that starts, and so on. */
export const MAX_DEPTH = 5;
/** Runs one run may have started in all, directly and through them, itself included. */
export const MAX_TREE_RUNS = 200;

export type ChildDeps = MachineDeps & ValidityDeps & { readonly resolvePlaybook: ResolvePlaybook };

/**
 * Advances the runs and creates those they start, and those these start. Returns all of them, to be saved together; `family`
 * keeps count of trees within one transaction.
 */
export async function advanceRuns(
  tx: SqlClient,
  models: Iterable<RunModel>,
  deps: ChildDeps,
  now: Date,
): Promise<RunModel[]> {
  const family: Family = { tx, now, deps, sizes: new Map() };
  const all: RunModel[] = [];
  for (const model of models) all.push(model, ...(await advanceRun(model, family)));
  for (const model of all) tellOthers(model, deps, now);
  return all;
}

type Family = {
  readonly tx: SqlClient;
  readonly now: Date;
  readonly deps: ChildDeps;
  /** Runs of a tree so far, by the id of its first run. */
  readonly sizes: Map<string, number>;
};

/** Returns the runs that were born. Goes as deep as runs may. */
async function advanceRun(model: RunModel, family: Family): Promise<RunModel[]> {
  const { now } = family;
  const born: RunModel[] = [];
  await advanceLoaded(model, family);
  const { newChildren } = model.changes;
  for (let wanted = newChildren.shift(); wanted; wanted = newChildren.shift()) {
    if (isEnding(model)) settleStep(model, wanted.step, { signal: 'skip', reason: 'run_failed' }, now);
    else born.push(...(await bearChild(model, wanted, family)));
    if (isStepSettled(wanted.step.status)) await advanceLoaded(model, family);
  }
  return born;
}

/** Outputs are loaded when an expression that reads them is evaluated: most never are, and they may be large. */
async function advanceLoaded(model: RunModel, { tx, deps, now }: Family): Promise<void> {
  for (;;) {
    try {
      advance(model, deps, now);
      return;
    } catch (error) {
      if (!(error instanceof OutputsUnread)) throw error;
      await readOutputs(tx, model, error.actionIds);
    }
  }
}

async function bearChild(parent: RunModel, wanted: NewChild, family: Family): Promise<RunModel[]> {
  const { deps, now } = family;
  const child = await createChild(parent, wanted, family);
  if ('code' in child) {
    settleStep(parent, wanted.step, { signal: 'fail', error: child }, now);
    return [];
  }
  wanted.step.child_run_id = child.row.id;
  const { deadline_at } = child.row;
  if (deadline_at)
    addJob(child, { id: deps.ids(), kind: runJobKinds.deadline, stepId: null, availableAt: deadline_at });
  const descendants = await advanceRun(child, family);
  if (isRunStatusFinal(child.row.status)) endChild(parent, wanted.step.id, child.row, now);
  return [child, ...descendants];
}

async function createChild(parent: RunModel, wanted: NewChild, family: Family): Promise<RunModel | Failure> {
  const { row } = parent;
  const { node } = wanted;
  if (row.depth >= MAX_DEPTH) {
    const message = `Runs start runs ${MAX_DEPTH} deep at most.`;
    return failure(engineFailureCodes.playbookTooDeep, message);
  }
  if ((await growTree(parent, family)) > MAX_TREE_RUNS) {
    const message = `One run starts ${MAX_TREE_RUNS - 1} others at most, directly and through them.`;
    return failure(engineFailureCodes.playbookTooManyRuns, message);
  }
  try {
    const found = await resolve(parent, wanted, family);
    if (found === null)
      return failure(engineFailureCodes.playbookUnknown, `There is no playbook "${node.playbook_id}" to start.`);
    return childModel(parent, wanted, found, family);
  } catch (error) {
    if (error instanceof StepFailure) return failure(error.code, error.message);
    if (!(error instanceof EngineError)) throw error;
    return failure(
      error.code === 'DEFINITION_INVALID' ? engineFailureCodes.playbookInvalid : error.code,
      error.message,
    );
  }
}

function resolve({ row }: RunModel, { node, inputs }: NewChild, { tx, deps }: Family) {
  return deps.resolvePlaybook(tx, {
    tenantId: row.tenant_id,
    node,
    inputs,
    parent: {
      runId: row.id,
      kind: row.kind,
      name: row.name,
      trigger: row.trigger,
      subject: row.subject,
      dryRun: row.dry_run,
    },
  });
}

function childModel(
  { row }: RunModel,
  { step, node, inputs }: NewChild,
  found: ResolvedPlaybook,
  { deps, now }: Family,
): RunModel {
  requireValid(found, deps);
  const input = {
    tenantId: row.tenant_id,
    kind: found.kind ?? row.kind,
    name: found.name,
    definition: found.definition,
    traits: found.traits,
    inputs,
    trigger: found.trigger === undefined ? row.trigger : found.trigger,
    subject: row.subject,
    priority: row.priority,
    dryRun: row.dry_run,
  };
  const origin = {
    parent_run_id: row.id,
    parent_step_id: step.id,
    root_run_id: row.root_run_id ?? row.id,
    depth: row.depth + 1,
    retry_of: null,
    retry_from: null,
    trace: row.trace,
    latestEnd: node.timeout_s == null ? null : new Date(now.getTime() + node.timeout_s * 1000),
  };
  return newRunModel(input, origin, deps, now);
}

/** Size of the tree with one more run. What starts at the same moment in other transactions is not seen. */
async function growTree({ row }: RunModel, { tx, sizes }: Family): Promise<number> {
  const root = row.root_run_id ?? row.id;
  let size = sizes.get(root);
  if (size === undefined) {
    const { rows } = await tx.query<{ runs: number }>(
      'select count(*)::int as runs from engine.run where root_run_id = $1',
      [root],
    );
    size = 1 + (rows[0]?.runs ?? 0);
  }
  sizes.set(root, size + 1);
  return size + 1;
}

/** Word to the run above, when this one has ended, and to those below that are no longer wanted. */
function tellOthers(model: RunModel, deps: ChildDeps, now: Date): void {
  const { row, changes } = model;
  const bornNow = changes.created !== null;
  const endedNow = isRunStatusFinal(row.status) && changes.run;
  if (endedNow && !bornNow && row.parent_run_id !== null) {
    const to = { runId: row.parent_run_id, stepId: row.parent_step_id };
    addJob(model, { ...to, id: deps.ids(), kind: runJobKinds.childEnded, availableAt: now });
  }
  const payload = { by: row.cancel_requested_by };
  for (const runId of changes.unwantedChildren)
    addJob(model, { id: deps.ids(), kind: runJobKinds.stop, runId, stepId: null, payload, availableAt: now });
}
