import { advanceRuns, type ChildDeps } from './children.ts';
import { requireValid } from './definition-check.ts';
import type { OnEvents, RetryRunInput, RunTracing, SqlClient, StartedRun, StartRunInput } from './interfaces.ts';
import type { RequireRoom } from './open-runs.ts';
import { loadEarlierRun, takeOver } from './reuse.ts';
import { type RunModel, runJobKinds } from './run-model.ts';
import { newRunModel, noOrigin, type RunOrigin } from './run-row.ts';
import { noJobOutcomes, saveRuns } from './run-save.ts';
import { addJob } from './step-changes.ts';

export type StartDeps = ChildDeps & {
  readonly now: () => Date;
  readonly onEvents: OnEvents;
  readonly requireRoom: RequireRoom;
  readonly tracing: Pick<RunTracing, 'contextOf'>;
};

/** Creates a run and its first steps in the caller's transaction, so that an acknowledged start is a durable one. */
export async function startRun(
  tx: SqlClient,
  request: StartRunInput | RetryRunInput,
  deps: StartDeps,
): Promise<StartedRun> {
  // First of all: what a key has started is its answer, whatever would be refused by now.
  const known = request.dedupKey === undefined ? null : await findRunOfKey(tx, request.tenantId, request.dedupKey);
  if (known) return { runId: known, created: false };
  const earlier = 'reuse' in request ? await loadEarlierRun(tx, request) : null;
  const input = 'reuse' in request ? earlier?.input : request;
  if (!input) throw new Error('A run is started from an input or from an earlier run.');
  requireValid(input, deps);
  const now = deps.now();
  await deps.requireRoom(tx, input.tenantId, now);
  const origin = 'reuse' in request ? originOf(request) : noOrigin;
  const model = newRunModel(input, { ...origin, trace: contextOf(input, deps) }, deps, now);
  if (earlier && 'reuse' in request) takeOver(model, earlier, request.reuse.from, deps);
  const models = await begin(tx, model, input.runAt, deps, now);
  await saveRuns(tx, models, noJobOutcomes, now);
  await deps.onEvents(
    tx,
    models.flatMap(({ changes }) => changes.events),
  );
  return { runId: model.row.id, created: true };
}

function originOf({ reuse: { runId, from } }: RetryRunInput): RunOrigin {
  return { ...noOrigin, retry_of: runId, retry_from: from ?? null };
}

function contextOf(input: StartRunInput, { tracing }: StartDeps): string | null {
  const { tenantId, kind, trigger = null } = input;
  return tracing.contextOf({ tenantId, kind, trigger });
}

/** Returns the run and those it started. */
async function begin(
  tx: SqlClient,
  model: RunModel,
  runAt: Date | undefined,
  deps: StartDeps,
  now: Date,
): Promise<RunModel[]> {
  const { deadline_at } = model.row;
  if (deadline_at)
    addJob(model, { id: deps.ids(), kind: runJobKinds.deadline, stepId: null, availableAt: deadline_at });
  if (!runAt || runAt <= now) return advanceRuns(tx, [model], deps, now);
  if (!isSingleCall(model)) {
    addJob(model, { id: deps.ids(), kind: runJobKinds.start, stepId: null, availableAt: runAt });
    return [model];
  }
  // Seen and cancelled like every other step while it waits for its time.
  const models = await advanceRuns(tx, [model], deps, now);
  putOff(model, runAt);
  return models;
}

function isSingleCall({ compiled: { nodes } }: RunModel): boolean {
  const [node] = nodes;
  return nodes.length === 1 && node?.kind === 'action' && node.for_each == null;
}

function putOff(model: RunModel, until: Date): void {
  const waiting = [...model.steps.values()].filter(({ status }) => status === 'pending');
  const ids = new Set<string | null>(waiting.map(({ id }) => id));
  for (const step of waiting) step.available_at = until;
  const { newJobs } = model.changes;
  newJobs.push(...newJobs.splice(0).map((job) => (ids.has(job.stepId) ? { ...job, availableAt: until } : job)));
}

/** Starts with the same key wait for each other here, so that the later one sees what the earlier one committed. */
async function findRunOfKey(tx: SqlClient, tenantId: string, dedupKey: string): Promise<string | null> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`engine.run/${tenantId}/${dedupKey}`]);
  const { rows } = await tx.query<{ id: string }>('select id from engine.run where tenant_id = $1 and dedup_key = $2', [
    tenantId,
    dedupKey,
  ]);
  return rows[0]?.id ?? null;
}
