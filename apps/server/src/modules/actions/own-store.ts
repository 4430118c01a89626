import { setTimeout as sleep } from 'node:timers/promises';
import { StepFailure } from '@airdeck/engine/errors';
import { backoffMs } from '@airdeck/engine/retry';
import { isTransient } from '../../storage/sql-state.ts';

const RETRY_BASE_MS = 50;
const RETRY_CAP_MS = 2_000;

/**
 * What a step reads of our own database before it calls anything. A database that restarts, or a connection that breaks, is
 * waited for as long as the attempt may take, as the engine does with its call mark: nothing has gone out, so that the step
 * need not fail for it, nor use up an attempt that its author meant for the vendor. Never repeats what stays wrong.
 */
export async function fromOwnStore<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await read();
    } catch (error) {
      if (!isTransient(error)) throw error;
      const waitMs = backoffMs({ failures, baseMs: RETRY_BASE_MS, capMs: RETRY_CAP_MS, random: Math.random });
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw new StepFailure('STORE_UNAVAILABLE', 'What the action needs could not be read in time.', {
          retryable: true,
          cause: error,
        });
      });
    }
  }
}
