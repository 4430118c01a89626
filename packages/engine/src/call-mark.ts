/**
 * The call mark: committed before a step that must not be repeated lets anything out. Who finds the mark on a step whose
 * worker vanished ends it as OUTCOME_UNKNOWN instead of calling again. The mark is set under the fence, so a worker that has
 * lost its lease gets an error and must not call. Marks of steps that begin together share a commit.
 */
import { type Batcher, createBatcher } from './batcher.ts';
import { EngineError } from './errors.ts';
import type { SqlPool } from './interfaces.ts';
import { lockHeldJobs } from './leases.ts';
import type { Lease } from './run-model.ts';

export type CallMark = { readonly stepId: string; readonly lease: Lease };

export type CallMarker = (mark: CallMark) => Promise<void>;

export function createCallMarker(deps: {
  pool: SqlPool;
  owner: string;
  now: () => Date;
  batchSize: number;
}): CallMarker {
  const batcher: Batcher<CallMark, boolean> = createBatcher((marks) => setMarks(marks, deps), deps.batchSize);
  return async (mark) => {
    if (await batcher.submit(mark)) return;
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
