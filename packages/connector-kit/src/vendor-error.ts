import type { Told } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { EgressError } from './egress-error.ts';

/** What can go wrong at a vendor, in one vocabulary for all of them. */
export const vendorErrorCodes = {
  VENDOR_CREDENTIALS_REFUSED: { retryable: false },
  VENDOR_PERMISSION_MISSING: { retryable: false },
  VENDOR_NOT_FOUND: { retryable: false },
  VENDOR_CONFLICT: { retryable: false },
  VENDOR_REJECTED: { retryable: false },
  VENDOR_RATE_LIMITED: { retryable: true },
  VENDOR_UNAVAILABLE: { retryable: true },
  /** Not the format the vendor publishes: a proxy page, HTML, cut JSON. */
  VENDOR_ANSWER_UNREADABLE: { retryable: false },
  CONNECTOR_CONFIG_INVALID: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

export type VendorErrorCode = keyof typeof vendorErrorCodes;

/** The one shape every failure of a connector ends in. */
export type VendorFailure = {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retry_after_s?: number;
};

export class VendorError extends Error {
  override readonly name = 'VendorError';
  readonly code: VendorErrorCode;
  readonly retryable: boolean;
  readonly retryAfterS: number | undefined;
  /** The message as it is told in the reader's language. */
  readonly told: Told;

  constructor(
    code: VendorErrorCode,
    told: Told | string,
    options: { retryAfterS?: number | undefined; cause?: unknown } = {},
  ) {
    const { message, reason, values }: Told = typeof told === 'string' ? { message: told } : told;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.told = { message, reason, values };
    this.code = code;
    this.retryable = vendorErrorCodes[code].retryable;
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

/** Any thrown value as the one shape; `redact` takes the connector's secrets out of the vendor's words. */
export function toVendorFailure(error: unknown, redact: (text: string) => string): VendorFailure {
  if (error instanceof VendorError) {
    const wait = error.retryAfterS === undefined ? {} : { retry_after_s: error.retryAfterS };
    return { code: error.code, message: redact(error.message), retryable: error.retryable, ...wait };
  }
  if (error instanceof EgressError) {
    return { code: error.code, message: redact(error.message), retryable: error.retryable };
  }
  return { code: 'CONNECTOR_FAILED', message: refusal('CONNECTOR_FAILED').message, retryable: false };
}
