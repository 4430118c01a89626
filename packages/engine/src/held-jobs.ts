import type { Lease } from './run-model.ts';

/** A job this worker holds, from claim or hand-over until its result is on record. */
export type HeldJob = {
  readonly lease: Lease;
  readonly runId: string | null;
  /** Aborted to stop the attempt. */
  readonly stop: AbortController;
  /** Set when the lease is gone: nothing about the job may be recorded any more. */
  lost: boolean;
};

/** The worker's slots. */
export interface HeldJobs {
  /** Null when the job is held already, as after a claim the database forgot in a crash. */
  take(lease: Lease, runId: string | null): HeldJob | null;
  drop(jobId: string): void;
  leases(): Lease[];
  size(): number;
  abortRun(runId: string): void;
  abortJobs(jobIds: readonly string[]): void;
  /** The leases of these jobs are gone. */
  lose(jobIds: readonly string[]): void;
  abortAll(): void;
}

export function createHeldJobs(): HeldJobs {
  const held = new Map<string, HeldJob>();

  function abort(job: HeldJob | undefined): void {
    job?.stop.abort(new Error('The attempt was stopped.'));
  }

  return {
    take(lease, runId) {
      if (held.has(lease.jobId)) return null;
      const job = { lease, runId, stop: new AbortController(), lost: false };
      held.set(lease.jobId, job);
      return job;
    },
    drop: (jobId) => void held.delete(jobId),
    leases: () => [...held.values()].map(({ lease }) => lease),
    size: () => held.size,
    abortRun(runId) {
      for (const job of held.values()) if (job.runId === runId) abort(job);
    },
    abortJobs(jobIds) {
      for (const id of jobIds) abort(held.get(id));
    },
    lose(jobIds) {
      for (const id of jobIds) {
        const job = held.get(id);
        if (!job) continue;
        job.lost = true;
        abort(job);
      }
    },
    abortAll() {
      for (const job of held.values()) abort(job);
    },
  };
}
