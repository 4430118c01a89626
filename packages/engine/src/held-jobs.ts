import type { Lease } from './run-model.ts';

/** A job this worker holds, from claim or hand-over until its result is on record. */
export type HeldJob = {
  readonly lease: Lease;
  readonly tenantId: string;
  readonly runId: string | null;
  /** It may run beside a suspect: urgent, and begun while nothing could be handed over. */
  readonly besides: boolean;
  /** Aborted to stop the attempt. */
  readonly stop: AbortController;
  /** Set when the lease is gone: nothing about the job may be recorded any more. */
  lost: boolean;
};

/** The worker's slots. */
export interface HeldJobs {
  /** Null when the job is held already, as after a claim the database forgot in a crash. */
  take(lease: Lease, of: Pick<HeldJob, 'tenantId' | 'runId' | 'besides'>): HeldJob | null;
  drop(jobId: string): void;
  has(jobId: string): boolean;
  leases(): Lease[];
  size(): number;
  /** All but those that may run beside a suspect. */
  others(): number;
  /** Slots of one tenant, and of all. */
  countOf(tenantId: string): number;
  counts(): ReadonlyMap<string, number>;
  abortRun(runId: string): void;
  abortJobs(jobIds: readonly string[]): void;
  /** The leases of these jobs are gone. */
  lose(jobIds: readonly string[]): void;
  abortAll(): void;
}

export function createHeldJobs(): HeldJobs {
  const held = new Map<string, HeldJob>();
  const counts = new Map<string, number>();
  let others = 0;

  function count(tenantId: string, change: 1 | -1): void {
    const next = (counts.get(tenantId) ?? 0) + change;
    if (next > 0) counts.set(tenantId, next);
    else counts.delete(tenantId);
  }

  function abort(job: HeldJob | undefined): void {
    job?.stop.abort(new Error('The attempt was stopped.'));
  }

  return {
    take(lease, of) {
      if (held.has(lease.jobId)) return null;
      const { tenantId, runId, besides } = of;
      const job = { lease, tenantId, runId, besides, stop: new AbortController(), lost: false };
      held.set(lease.jobId, job);
      count(tenantId, 1);
      if (!besides) others += 1;
      return job;
    },
    drop(jobId) {
      const job = held.get(jobId);
      if (!job) return;
      count(job.tenantId, -1);
      if (!job.besides) others -= 1;
      held.delete(jobId);
    },
    has: (jobId) => held.has(jobId),
    leases: () => [...held.values()].map(({ lease }) => lease),
    size: () => held.size,
    others: () => others,
    countOf: (tenantId) => counts.get(tenantId) ?? 0,
    counts: () => counts,
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
