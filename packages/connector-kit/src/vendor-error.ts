import type { Told } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { EgressError } from './egress-error.ts';

/**
 * What can go wrong at a vendor, in one vocabulary for all of them. `outcomeUnknown`: it may have done what it was asked
 * all the same, so that a call that must not happen twice is not repeated.
 */
export const vendorErrorCodes = {
  VENDOR_CREDENTIALS_REFUSED: { retryable: false, outcomeUnknown: false },
  VENDOR_PERMISSION_MISSING: { retryable: false, outcomeUnknown: false },
  VENDOR_NOT_FOUND: { retryable: false, outcomeUnknown: false },
  VENDOR_CONFLICT: { retryable: false, outcomeUnknown: false },
  VENDOR_REJECTED: { retryable: false, outcomeUnknown: false },
  VENDOR_RATE_LIMITED: { retryable: true, outcomeUnknown: false },
  /** It broke in the middle, or a gateway in front of it stopped waiting; whoever knows that nothing was done says so. */
  VENDOR_UNAVAILABLE: { retryable: true, outcomeUnknown: true },
  /** Not the format the vendor publishes: a proxy page, HTML, cut JSON. */
  VENDOR_ANSWER_UNREADABLE: { retryable: false, outcomeUnknown: true },
  CONNECTOR_CONFIG_INVALID: { retryable: false, outcomeUnknown: false },
} as const satisfies Record<string, { retryable: boolean; outcomeUnknown: boolean }>;

export type VendorErrorCode = keyof typeof vendorErrorCodes;

/** The one shape every failure of a connector ends in. */
export type VendorFailure = {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly outcome_unknown: boolean;
  readonly retry_after_s?: number;
};

export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  readonly retryable: boolean;
  /** By the code, unless whoever throws knows better. */
  readonly outcomeUnknown: boolean;
  readonly retryAfterS: number | undefined;
  /** The message as it is told in the reader's language. */
  readonly told: Told;

  constructor(
    code: VendorErrorCode,
    told: Told | string,
    options: { retryAfterS?: number | undefined; outcomeUnknown?: boolean | undefined; cause?: unknown } = {},
  ) {
    const { message, reason, values }: Told = typeof told === 'string' ? { message: told } : told;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.told = { message, reason, values };
    this.code = code;
    this.retryable = vendorErrorCodes[code].retryable;
    this.outcomeUnknown = options.outcomeUnknown ?? vendorErrorCodes[code].outcomeUnknown;
    this.retryAfterS = options.retryAfterS;
  }
}

/** Code for an HTTP status that the vendor's own answer says nothing better about. Undefined for success. */
export function codeForStatus(status: number): VendorErrorCode | undefined {
  if (status < 400) return undefined;
  if (status === 401) return 'VENDOR_CREDENTIALS_REFUSED';
  if (status === 403) return 'VENDOR_PERMISSION_MISSING';
  if (status === 404) return 'VENDOR_NOT_FOUND';
  if (status === 409) return 'VENDOR_CONFLICT';
  if (status === 429) return 'VENDOR_RATE_LIMITED';
  return status >= 500 ? 'VENDOR_UNAVAILABLE' : 'VENDOR_REJECTED';
}

/** A vendor that names the time to come back turned the request away at its door; any other 503 may come from behind it. */
export function isTurnedAway({ status, retryAfterS }: { status: number; retryAfterS: number | undefined }): boolean {
  return status === 503 && retryAfterS !== undefined;
}

/** Any thrown value as the one shape; `redact` takes the connector's secrets out of the vendor's words. */
export function toVendorFailure(error: unknown, redact: (text: string) => string): VendorFailure {
  if (error instanceof VendorError || error instanceof EgressError) {
    const { code, retryable, outcomeUnknown: outcome_unknown } = error;
    const wait = error instanceof VendorError && error.retryAfterS !== undefined ? error.retryAfterS : null;
    const failure = { code, message: redact(error.message), retryable, outcome_unknown };
    return wait === null ? failure : { ...failure, retry_after_s: wait };
  }
  const { message } = refusal('CONNECTOR_FAILED');
  return { code: 'CONNECTOR_FAILED', message, retryable: false, outcome_unknown: true };
}
