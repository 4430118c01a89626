import type { SigmaOutcome } from '@airdeck/detection/sigma/sigma-import';
import { createBoundedThread, ThreadError, type ThreadLimits } from '../../bounded-thread.ts';
import { builtProgram } from '../../built-program.ts';
import { AppError } from '../../http/app-error.ts';
import { readSigma, type SigmaOrder } from './sigma-documents.ts';

export interface SigmaReader {
  /** Throws OVERLOADED when too many are at it, VALIDATION_FAILED when the files take too much time or memory. */
  read(order: SigmaOrder): Promise<readonly SigmaOutcome[]>;
}

const sigmaLimits: ThreadLimits = { timeoutMs: 60_000, heapMb: 384, maxWaiting: 20 };

/** Read within a few milliseconds: there is nothing in so short a text that takes longer. */
const SHORT_CHARS = 8_000;

/** Reads Sigma rules in a bounded thread, because they are a stranger's YAML; what is short is read in place. */
export function createSigmaReader(limits: Partial<ThreadLimits> = {}): SigmaReader {
  const entry = builtProgram('sigma-worker');
  const thread = createBoundedThread<SigmaOrder, readonly SigmaOutcome[]>(entry, { ...sigmaLimits, ...limits });
  return {
    async read(order) {
      const chars = order.files.reduce((sum, { text }) => sum + text.length, 0);
      if (chars <= SHORT_CHARS) return readSigma(order);
      try {
        return await thread(order);
      } catch (cause) {
        if (!(cause instanceof ThreadError)) throw cause;
        if (cause.code === 'TOO_MANY') throw new AppError('OVERLOADED', { cause, retryAfterS: 10 });
        const message = 'These files take too long or too much memory to read. Send fewer at once.';
        throw new AppError('VALIDATION_FAILED', { cause, message, details: [{ path: 'body.files', message }] });
      }
    },
  };
}
