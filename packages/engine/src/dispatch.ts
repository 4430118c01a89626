/**
 * What a worker does with a job it holds:
 *
 *   step job ──► begin (commit) ──► execute ──► result (commit) ──► next step handed over ──► execute …
 *   timer, expiry, deadline, late start ──► signal (commit)
 *   any other ──► handler ──► complete, retry or dead letter
 *
 * A slot is taken from claim until the result is on record. A crash at any point leaves leases that expire; see
 * `run-signals.ts` for what the next worker makes of them.
 */
import type { ClaimedJob } from './claimed-job.ts';
import { messageOf } from './errors.ts';
import { executeJob, type JobDeps } from './execute-job.ts';
import { type ExecuteDeps, executeAttempt } from './execute-step.ts';
import type { Finisher } from './finish.ts';
import type { HeldJob, HeldJobs } from './held-jobs.ts';
import type { EngineLog, JobHandler } from './interfaces.ts';
import type { BegunStep, RunCommand, RunSignal } from './run-commit.ts';
import { isUrgentKind, type Lease, runJobKinds } from './run-model.ts';

export type DispatchDeps = {
  readonly held: HeldJobs;
  readonly finisher: Finisher;
  readonly execute: ExecuteDeps;
  readonly jobs: JobDeps;
  readonly jobHandlers: Readonly<Record<string, JobHandler>>;
  readonly log: EngineLog;
  /** A stopping worker does not record attempts it aborted itself; their leases are handed back. */
  readonly isStopping: () => boolean;
  /** Whether steps may be handed over. */
  readonly isOpen: () => boolean;
  readonly onSlotFree: () => void;
};

export interface Dispatcher {
  readonly kinds: readonly string[];
  /** Takes a slot at once; what follows runs by itself and never rejects. */
  carryOut(job: ClaimedJob): void;
  /** Leases of attempts that a stop has cut short. */
  abandoned(): readonly Lease[];
}

export function createDispatcher(deps: DispatchDeps): Dispatcher {
  const { held, log } = deps;
  const abandoned: Lease[] = [];

  function occupy(
    lease: Lease,
    of: Pick<HeldJob, 'tenantId' | 'runId' | 'besides'>,
    work: (slot: HeldJob) => Promise<void>,
  ): void {
    const slot = held.take(lease, of);
    if (!slot) return;
    void work(slot)
      .catch((error) => log.error({ jobId: lease.jobId, error: messageOf(error) }, 'job left to its lease'))
      .finally(() => {
        held.drop(lease.jobId);
        deps.onSlotFree();
      });
  }

  async function handle(job: ClaimedJob, slot: HeldJob): Promise<void> {
    const signal = signalOf(job);
    if (signal && job.runId) return send({ runId: job.runId, job, signal, chain: 0 }, slot);
    await executeJob(job, deps.jobHandlers[job.kind], slot.stop.signal, deps.jobs);
    if (deps.isStopping() && slot.stop.signal.aborted) abandoned.push(slot.lease);
  }

  /** Reports to the finisher and starts what it hands back. */
  async function send(said: Omit<RunCommand, 'lease'>, slot: HeldJob): Promise<void> {
    if (slot.lost) return;
    const { runId, signal } = said;
    const { accepted, refused, begun } = await deps.finisher.submit({ ...said, lease: slot.lease });
    if (!accepted) log.warn({ runId, signal: signal.type }, 'lease lost; what this worker had to say is dropped');
    const { tenantId, lease } = slot;
    if (refused)
      log.warn({ tenantId, jobId: lease.jobId, runId, reason: refused.message }, 'a forged job was put away');
    let own: BegunStep | undefined;
    for (const step of begun) {
      if (step.lease.jobId === slot.lease.jobId) own = step;
      else occupy(step.lease, { tenantId: slot.tenantId, runId, besides: false }, (taken) => runStep(step, taken));
    }
    if (own) await runStep(own, slot);
  }

  async function runStep(begun: BegunStep, slot: HeldJob): Promise<void> {
    const result = await executeAttempt(begun, slot.stop.signal, deps.execute);
    if (result.type === 'aborted' && deps.isStopping()) {
      abandoned.push(slot.lease);
      return;
    }
    const signal: RunSignal = { type: 'attempt', stepId: begun.step.id, result };
    await send({ runId: begun.step.run_id, signal, chain: begun.chain }, slot);
  }

  function carryOut(job: ClaimedJob): void {
    const { tenantId, runId } = job;
    const besides = isUrgentKind(job.kind) && !deps.isOpen();
    occupy({ jobId: job.id, token: job.token }, { tenantId, runId, besides }, (slot) => handle(job, slot));
  }

  return {
    kinds: [...Object.values(runJobKinds), ...Object.keys(deps.jobHandlers)],
    carryOut,
    abandoned: () => abandoned,
  };
}

function signalOf(job: ClaimedJob): RunSignal | null {
  const { kind, stepId } = job;
  if (kind === runJobKinds.deadline) return { type: 'deadline' };
  if (kind === runJobKinds.start) return { type: 'start' };
  if (kind === runJobKinds.stop) return { type: 'stop', by: stoppedBy(job.payload) };
  if (stepId === null) return null;
  if (kind === runJobKinds.childEnded) return { type: 'child', stepId };
  if (kind === runJobKinds.step) return { type: 'begin', stepId, claims: job.attempt };
  if (kind === runJobKinds.timer) return { type: 'timer', stepId };
  return kind === runJobKinds.promptExpiry ? { type: 'expiry', stepId } : null;
}

/** A run may also end the ones it started by failing; nobody cancelled then. */
function stoppedBy(payload: unknown): string {
  const by = typeof payload === 'object' && payload !== null && 'by' in payload ? payload.by : null;
  return typeof by === 'string' ? by : 'system';
}
