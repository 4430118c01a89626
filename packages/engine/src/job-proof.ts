/**
 * A job's row is believed only as far as its run bears it out. Whoever could write to the table might otherwise end runs of
 * other tenants, pass over a question to a person, or have a call made twice.
 *
 * What no row of the engine's says is put away as a dead letter with its reason, and changes nothing. What merely comes again
 * or late, for a step that is settled or a run that has ended, is dropped. What comes before its time is put off until then:
 * clocks of two machines may differ by a little.
 */
import type { ClaimedJob } from './claimed-job.ts';
import { LIST_ITERATION } from './definition.ts';
import { engineFailureCodes, failure } from './errors.ts';
import type { SqlClient } from './interfaces.ts';
import type { StepRow } from './rows.ts';
import type { RunCommand, RunSignal } from './run-commit.ts';
import { findStepById, type RunModel, runJobKinds } from './run-model.ts';
import type { ChildEnd, JobFate } from './run-signals.ts';
import { isRunStatusFinal, isStepSettled } from './statuses.ts';

export type Evidence = {
  readonly models: ReadonlyMap<string, RunModel>;
  readonly children: ReadonlyMap<string, ChildEnd>;
  /** Jobs in the hands of workers, by the running step they carry out. */
  readonly carriers: ReadonlyMap<string, Set<string>>;
};

export type ClaimedCommand = RunCommand & { readonly job: ClaimedJob };

/** Undefined for a row that is borne out. */
export function doubtOf({ runId, job, signal }: ClaimedCommand, evidence: Evidence, now: Date): JobFate | undefined {
  const model = evidence.models.get(runId);
  if (!model) return refusal(job, 'It names a run that does not exist.');
  if (job.tenantId !== model.row.tenant_id) return refusal(job, 'It names a run of another tenant.');
  if (isRunStatusFinal(model.row.status)) return undefined;
  if (signal.type === 'deadline') return doubtOfTime(model.row.deadline_at, job, now);
  if (signal.type === 'stop' && model.row.parent_run_id === null)
    return refusal(job, 'It stops a run that no other run has started.');
  return 'stepId' in signal && signal.stepId !== null
    ? doubtOfStep(findStepById(model, signal.stepId), { job, signal, evidence, now })
    : undefined;
}

type Claim = {
  readonly job: ClaimedJob;
  readonly signal: RunSignal;
  readonly evidence: Evidence;
  readonly now: Date;
};

function doubtOfStep(step: StepRow | undefined, { job, signal, evidence, now }: Claim): JobFate | undefined {
  // Items of a list that has ended are not loaded; whatever is said of a step that is not there has no effect.
  if (!step || isStepSettled(step.status)) return undefined;
  if (signal.type === 'begin') return doubtOfCall(step, job, evidence.carriers.get(step.id));
  if (signal.type === 'timer' && step.kind !== 'delay')
    return refusal(job, 'It ends the wait of a step that is no delay.');
  if (signal.type === 'expiry' && step.kind !== 'prompt')
    return refusal(job, 'It ends a question of a step that asks none.');
  if (signal.type === 'timer' || signal.type === 'expiry') return doubtOfTime(step.available_at, job, now);
  return signal.type === 'child' ? doubtOfChild(step, job, evidence.children.get(step.id)) : undefined;
}

function doubtOfCall(step: StepRow, job: ClaimedJob, carriers: Set<string> | undefined): JobFate | undefined {
  if (step.kind !== 'action' || step.iteration === LIST_ITERATION || step.list_turn === 'queued')
    return refusal(job, 'It carries out a step that is not to be called now.');
  if (step.status !== 'running' || ![...(carriers ?? [])].some((id) => id !== job.id)) return undefined;
  // The other one carries on; of several that are looked at together, the last is believed.
  carriers?.delete(job.id);
  return refusal(job, 'Another job is carrying out its step.');
}

function doubtOfTime(due: Date | null, job: ClaimedJob, now: Date): JobFate | undefined {
  if (due === null) return refusal(job, 'It ends a time that was never set.');
  return due > now ? { type: 'retry', at: due } : undefined;
}

function doubtOfChild(step: StepRow, job: ClaimedJob, child: ChildEnd | undefined): JobFate | undefined {
  if (child?.tenant_id !== job.tenantId || child.parent_step_id !== step.id)
    return refusal(job, 'It tells of a run that its step has not started.');
  return isRunStatusFinal(child.status) ? undefined : refusal(job, 'It tells of the end of a run that goes on.');
}

function refusal({ runId, stepId }: ClaimedJob, reason: string): JobFate {
  const details = { run_id: runId, step_id: stepId };
  return { type: 'refuse', error: { ...failure(engineFailureCodes.jobForged, reason), details } };
}

/**
 * Jobs that workers hold of steps that are running and are to be begun all the same. A step has one job, which comes again
 * when its worker is lost; a second one would have it called beside the first. Rows of other tenants carry out nothing.
 */
export async function loadCarriers(
  tx: SqlClient,
  commands: readonly RunCommand[],
  models: ReadonlyMap<string, RunModel>,
): Promise<Map<string, Set<string>>> {
  const begunAgain = commands.flatMap(({ runId, signal }) => {
    const model = signal.type === 'begin' ? models.get(runId) : undefined;
    const step = model && signal.type === 'begin' ? findStepById(model, signal.stepId) : undefined;
    return step?.status === 'running' ? [step] : [];
  });
  const carriers = new Map<string, Set<string>>();
  if (begunAgain.length === 0) return carriers;
  const { rows } = await tx.query<{ id: string; step_id: string }>(
    `select j.id, j.step_id from engine.job j join engine.run r on r.id = j.run_id and r.tenant_id = j.tenant_id
     where j.run_id = any($1::uuid[]) and j.step_id = any($2::uuid[]) and j.kind = $3 and j.state = 'leased'`,
    [begunAgain.map(({ run_id }) => run_id), begunAgain.map(({ id }) => id), runJobKinds.step],
  );
  for (const { id, step_id } of rows) carriers.set(step_id, (carriers.get(step_id) ?? new Set()).add(id));
  return carriers;
}
