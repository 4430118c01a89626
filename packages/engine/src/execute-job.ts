/** One attempt of a job of the embedding program: handler, completion, retry, a later time or dead letter. */
import { type ClaimedJob, jobDead } from './claimed-job.ts';
import {
  EngineError,
  engineFailureCodes,
  type Failure,
  failure,
  JobPostponed,
  messageOf,
  StepFailure,
} from './errors.ts';
import type { EngineEvent } from './events.ts';
import type { EngineLog, JobHandler, OnEvents, SqlClient, SqlPool } from './interfaces.ts';
import { completeJob, failJob, postponeJob } from './jobs.ts';
import { backoffMs } from './retry.ts';
import { settledInTime } from './settle-in-time.ts';

const DEFAULT_TIMEOUT_MS = 600_000;

export type JobDeps = {
  readonly pool: SqlPool;
  readonly owner: string;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: EngineLog;
  readonly maxBackoffMs: number;
  readonly abortGraceMs: number;
  readonly onEvents: OnEvents;
  readonly afterCommit: (events: readonly EngineEvent[]) => void;
};

/**
 * Resolves when the attempt is on record, or the job turned out to be somebody else's by now. A job nobody can carry out, as
 * the engine writes none, is put away.
 */
export async function executeJob(
  job: ClaimedJob,
  handler: JobHandler | undefined,
  stop: AbortSignal,
  deps: JobDeps,
): Promise<void> {
  try {
    if (!handler || (handler.tenantId !== undefined && handler.tenantId !== job.tenantId)) {
      const reason = handler ? 'No tenant has jobs of this kind.' : 'It does not name what its kind is about.';
      return await recordFailure(job, failure(engineFailureCodes.jobForged, reason), deps);
    }
    if (job.attempt > job.maxAttempts) {
      await tellLost(job, handler, deps);
      return await recordFailure(job, failure('WORKER_LOST', 'Its worker stopped while running it, too often.'), deps);
    }
    const error = await attempt(job, handler, stop, deps);
    if (error === null || stop.aborted) return;
    if (error instanceof JobPostponed) await postpone(job, error, deps);
    else await recordFailure(job, error, deps);
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'LEASE_LOST')) throw error;
    deps.log.warn({ jobId: job.id, kind: job.kind }, 'lease lost; the result of this attempt is dropped');
  }
}

async function tellLost({ id: jobId, tenantId, kind, payload }: ClaimedJob, handler: JobHandler, { log }: JobDeps) {
  try {
    await handler.onLost?.({ jobId, tenantId, payload });
  } catch (error) {
    log.warn({ jobId, kind, error: messageOf(error) }, 'nobody could be told of a job whose worker stopped');
  }
}

async function attempt(
  job: ClaimedJob,
  handler: JobHandler,
  stop: AbortSignal,
  deps: JobDeps,
): Promise<Failure | JobPostponed | null> {
  const lease = { jobId: job.id, token: job.token };
  const signal = AbortSignal.any([stop, AbortSignal.timeout(handler.timeoutMs ?? DEFAULT_TIMEOUT_MS)]);
  let completed = false;
  try {
    const work = handler.run({
      jobId: job.id,
      tenantId: job.tenantId,
      kind: job.kind,
      payload: job.payload,
      attempt: job.attempt,
      signal,
      completeIn: async (tx: SqlClient) => {
        await completeJob(tx, deps.owner, lease);
        completed = true;
      },
    });
    await settledInTime(work, signal, deps.abortGraceMs);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'LEASE_LOST') throw error;
    if (error instanceof JobPostponed) return error;
    const known = error instanceof StepFailure;
    return failure(known ? error.code : 'JOB_FAILED', messageOf(error), known ? error.retryable : true);
  }
  if (!completed) await deps.pool.transaction((tx) => completeJob(tx, deps.owner, lease));
  return null;
}

async function postpone({ id, token }: ClaimedJob, { afterMs }: JobPostponed, deps: JobDeps): Promise<void> {
  const until = new Date(deps.now().getTime() + afterMs);
  await deps.pool.transaction((tx) => postponeJob(tx, deps.owner, { jobId: id, token }, until));
}

async function recordFailure(job: ClaimedJob, error: Failure, deps: JobDeps): Promise<void> {
  const now = deps.now();
  const again = error.retryable && job.attempt < job.maxAttempts;
  const wait = backoffMs({
    failures: job.attempt,
    baseMs: job.backoffMs,
    capMs: deps.maxBackoffMs,
    random: deps.random,
  });
  const retryAt = again ? new Date(now.getTime() + wait) : null;
  const events: EngineEvent[] = retryAt ? [] : [jobDead(job, error, now)];
  deps.log.warn({ jobId: job.id, kind: job.kind, attempt: job.attempt, code: error.code, retryAt }, 'job failed');
  await deps.pool.transaction(async (tx) => {
    await failJob(tx, deps.owner, { jobId: job.id, token: job.token }, { error, retryAt });
    if (events.length > 0) await deps.onEvents(tx, events);
  });
  deps.afterCommit(events);
}
