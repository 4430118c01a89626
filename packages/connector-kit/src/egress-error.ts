import type { Told } from '@airdeck/contracts/filled-text';

/** Why an outgoing call did not give an answer. The only facts callers may decide by. */
export const egressErrorCodes = {
  /** The destination is not allowed; nothing was sent. */
  EGRESS_DENIED: { retryable: false },
  DNS_FAILED: { retryable: true },
  CONNECT_FAILED: { retryable: true },
  TLS_FAILED: { retryable: false },
  /** Connecting or the whole call took too long; the receiver may have acted. */
  TIMEOUT: { retryable: true },
  BODY_TOO_LARGE: { retryable: false },
  /** The content encoding of the answer is unknown or broken. */
  BODY_UNREADABLE: { retryable: false },
  REDIRECT_REFUSED: { retryable: false },
  ABORTED: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

export type EgressErrorCode = keyof typeof egressErrorCodes;

/** Thrown by the egress module. The message names host and reason; never a path, query, header or body. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly code: EgressErrorCode;
  readonly retryable: boolean;
  /** The message as it is told in the reader's language. */
  readonly told: Told;

  constructor(code: EgressErrorCode, told: Told | string, options?: { cause?: unknown }) {
    const { message, reason, values }: Told = typeof told === 'string' ? { message: told } : told;
    super(message, options);
    this.told = { message, reason, values };
    this.code = code;
    this.retryable = egressErrorCodes[code].retryable;
  }
}
