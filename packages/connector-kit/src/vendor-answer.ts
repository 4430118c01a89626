import type { JsonObject } from '@airdeck/contracts/fields';
import type { EgressResponse } from './egress.ts';
import type { VendorErrorCode } from './vendor-error.ts';
import { codeForStatus, VendorError } from './vendor-error.ts';

/** Vendors' words are shown to people: long enough to help, never a page of HTML. */
const MESSAGE_MAX = 300;

/** The body as a JSON object. Throws by status first (a proxy's HTML 502 is an outage, not a format), then by format. */
export function jsonObjectOf(vendor: string, answer: EgressResponse): JsonObject {
  const value = parsed(answer.text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throwForStatus(vendor, answer, undefined);
  throw new VendorError(
    'VENDOR_ANSWER_UNREADABLE',
    `${vendor} answered with something that is not its API (HTTP ${answer.status}). Check the address.`,
  );
}

/** Throws the fitting error when the status says failure; `detail` is the vendor's own sentence. */
export function throwForStatus(vendor: string, answer: EgressResponse, detail: string | undefined): void {
  const code = codeForStatus(answer.status);
  if (code === undefined) return;
  const words = detail === undefined || detail === '' ? '' : `: ${clipped(detail)}`;
  throw new VendorError(code, `${vendor} ${failureTexts[code]} (HTTP ${answer.status})${words}`, {
    retryAfterS: answer.retryAfterS,
  });
}

/** A vendor's sentence in one line, without control characters, at a length fit for a screen. */
export function clipped(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX - 1)}…` : line;
}

/** What a vendor did, as the middle of a sentence that begins with its name. */
export const failureTexts: Readonly<Record<VendorErrorCode, string>> = {
  VENDOR_CREDENTIALS_REFUSED: 'refused the credentials',
  VENDOR_PERMISSION_MISSING: 'does not allow this with these credentials',
  VENDOR_NOT_FOUND: 'does not know this address or object',
  VENDOR_CONFLICT: 'reports a conflict',
  VENDOR_REJECTED: 'rejected the request',
  VENDOR_RATE_LIMITED: 'limits the rate of requests',
  VENDOR_UNAVAILABLE: 'is not available',
  VENDOR_ANSWER_UNREADABLE: 'gave an answer that cannot be read',
  CONNECTOR_CONFIG_INVALID: 'cannot be called with this configuration',
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
