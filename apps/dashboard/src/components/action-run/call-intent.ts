import { ApiError } from '@airdeck/api-client/api-error';

export type CallIntent = {
  /** Idempotency key of a call with this body. */
  keyFor: (body: unknown) => string;
  /** Told how a call ended; undefined when it went well. */
  settle: (error?: unknown) => void;
};

/**
 * Keeps one Idempotency-Key for what a person means by pressing a button. When the answer to a call got lost, nobody knows
 * whether the action began: pressed again with the same input it is the same call, which the server does once. After an
 * answer, the next press means another run.
 */
export function createCallIntent(newKey: () => string): CallIntent {
  let open: { text: string; key: string } | undefined;
  return {
    keyFor(body) {
      const text = JSON.stringify(body) ?? '';
      if (open?.text !== text) open = { text, key: newKey() };
      return open.key;
    },
    settle(error) {
      if (error === undefined || !isOutcomeUnknown(error)) open = undefined;
    },
  };
}

/** The server may have done it all the same. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof ApiError && ['network', 'timeout', 'server', 'unknown'].includes(error.category);
}
