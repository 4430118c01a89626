import { ApiError } from '@airdeck/api-client/api-error';
import type { CallIntent } from '../../queries/activity.ts';

/**
 * Keeps one Idempotency-Key for each thing a person means by pressing a button. When the answer to a call got lost, nobody knows
 * whether the server did it: pressed again with the same input it is the same call, which the server does once. After an
 * answer, the next press means once more.
 */
export function createCallIntent(newKey: () => string): CallIntent {
  const keys = new Map<string, string>();
  return {
    async once(meant, call) {
      const text = JSON.stringify(meant) ?? '';
      const key = keys.get(text) ?? newKey();
      keys.set(text, key);
      try {
        const answer = await call(key);
        keys.delete(text);
        return answer;
      } catch (error) {
        // Asked to confirm, it is not over: what is confirmed must be the same call.
        const isOver = !isOutcomeUnknown(error) && !(error instanceof ApiError && error.confirmation !== undefined);
        if (isOver) keys.delete(text);
        throw error;
      }
    },
  };
}

/** The server may have done it all the same. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && ['network', 'timeout', 'server', 'unknown'].includes(error.category);
}
