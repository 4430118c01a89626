import type { Told } from '@airdeck/contracts/filled-text';

/**
 * Why an outgoing call did not give an answer. The only facts callers may decide by. `outcomeUnknown`: the request may have
 * reached the receiver, and the receiver may have acted.
 */
export const egressErrorCodes = {
  /** The destination is not allowed; nothing was sent. */
  EGRESS_DENIED: { retryable: false, outcomeUnknown: false },
  DNS_FAILED: { retryable: true, outcomeUnknown: false },
  /** There was no connection, or it ended before the answer did. */
  CONNECT_FAILED: { retryable: true, outcomeUnknown: true },
  TLS_FAILED: { retryable: false, outcomeUnknown: false },
  /** Connecting or the whole call took too long. */
  TIMEOUT: { retryable: true, outcomeUnknown: true },
  BODY_TOO_LARGE: { retryable: false, outcomeUnknown: true },
  /** The content encoding of the answer is unknown or broken. */
  BODY_UNREADABLE: { retryable: false, outcomeUnknown: true },
  REDIRECT_REFUSED: { retryable: false, outcomeUnknown: false },
  ABORTED: { retryable: false, outcomeUnknown: true },
} as const satisfies Record<string, { retryable: boolean; outcomeUnknown: boolean }>;

export type EgressErrorCode = keyof typeof egressErrorCodes;

/** Thrown by the egress module. The message names host and reason; never a path, query, header or body. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: EgressErrorCode;
  readonly retryable: boolean;
  /** By the code, unless whoever throws knows better. */
  readonly outcomeUnknown: boolean;
  /** The message as it is told in the reader's language. */
  readonly told: Told;

  constructor(
    code: EgressErrorCode,
    told: Told | string,
    { outcomeUnknown, ...options }: { outcomeUnknown?: boolean; cause?: unknown } = {},
  ) {
    const { message, reason, values }: Told = typeof told === 'string' ? { message: told } : told;
    super(message, options);
    this.told = { message, reason, values };
    this.code = code;
    this.retryable = egressErrorCodes[code].retryable;
    this.outcomeUnknown = outcomeUnknown ?? egressErrorCodes[code].outcomeUnknown;
  }
}
