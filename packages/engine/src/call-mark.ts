/**
 * The call mark: committed before a step that must not be repeated lets anything out. Who finds the mark on a step whose
 * worker vanished ends it as OUTCOME_UNKNOWN instead of calling again. The mark is set under the fence, so a worker that has
 * lost its lease gets an error and must not call. Marks of steps that begin together share a commit. A database that cannot
 * be reached is waited for, as the finisher does: nothing has gone out yet, so that the step need not fail for it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Batcher, createBatcher } from './batcher.ts';
import { EngineError } from './errors.ts';
import type { SqlPool } from './interfaces.ts';
import { lockHeldJobs } from './leases.ts';
import { backoffMs } from './retry.ts';
import type { Lease } from './run-model.ts';

const RETRY_BASE_MS = 50;
const RETRY_CAP_MS = 2_000;

export type CallMark = { readonly stepId: string; readonly lease: Lease };

/** Rejects with LEASE_LOST, or with the database's error when that lasts or `signal` is aborted. */
export type CallMarker = (mark: CallMark, signal: AbortSignal) => Promise<void>;

export function createCallMarker(deps: {
  pool: SqlPool;
  owner: string;
  now: () => Date;
  random: () => number;
  batchSize: number;
  /** How long to go on trying while the database is away. */
  giveUpAfterMs: number;
}): CallMarker {
  const { random, giveUpAfterMs } = deps;
  const batcher: Batcher<CallMark, boolean> = createBatcher((marks) => setMarks(marks, deps), deps.batchSize);
  async function submit(mark: CallMark, signal: AbortSignal): Promise<boolean> {
    const giveUpAt = performance.now() + giveUpAfterMs;
    for (let failures = 1; ; failures += 1) {
      try {
        return await batcher.submit(mark);
      } catch (error) {
        if (signal.aborted || performance.now() > giveUpAt) throw error;
        await sleep(backoffMs({ failures, baseMs: RETRY_BASE_MS, capMs: RETRY_CAP_MS, random }));
      }
    }
  }
  return async (mark, signal) => {
    if (await submit(mark, signal)) return;
    throw new EngineError('LEASE_LOST', 'The step was taken away from this worker; nothing may be called.');
  };
}

async function setMarks(
  marks: readonly CallMark[],
  { pool, owner, now }: { pool: SqlPool; owner: string; now: () => Date },
): Promise<boolean[]> {
  return pool.transaction(async (tx) => {
    const held = await lockHeldJobs(
      tx,
      owner,
      marks.map(({ lease }) => lease),
    );
    const granted = marks.filter(({ lease }) => held.has(lease.jobId));
    await tx.query(`update engine.step set call_started_at = $2 where id = any($1::uuid[]) and status = 'running'`, [
      granted.map(({ stepId }) => stepId),
      now(),
    ]);
    return marks.map(({ lease }) => held.has(lease.jobId));
  });
}
