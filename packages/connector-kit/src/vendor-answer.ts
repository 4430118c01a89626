import type { JsonObject } from '@airdeck/contracts/fields';
import type { Told } from '@airdeck/contracts/filled-text';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { EgressResponse } from './egress.ts';
import type { VendorErrorCode } from './vendor-error.ts';
import { codeForStatus, isTurnedAway, VendorError } from './vendor-error.ts';

/** Vendors' words are shown to people: long enough to help, never a page of HTML. */
const MESSAGE_MAX = 300;

/** The body as a JSON object. Throws by status first (a proxy's HTML 502 is an outage, not a format), then by format. */
export function jsonObjectOf(vendor: string, answer: EgressResponse): JsonObject {
  const value = parsed(answer.text);
  if (isJsonObject(value)) return value;
  throwForStatus(vendor, answer, undefined);
  throw notItsApi(vendor, answer.status);
}

/** Throws the fitting error when the status says failure; `detail` is the vendor's own sentence. */
export function throwForStatus(vendor: string, answer: EgressResponse, detail: string | undefined): void {
  const code = codeForStatus(answer.status);
  if (code === undefined) return;
  const told = vendorFailed(code, { vendor, status: answer.status, words: clipped(detail ?? '') });
  const known = isTurnedAway(answer) ? { outcomeUnknown: false } : {};
  throw new VendorError(code, told, { retryAfterS: answer.retryAfterS, ...known });
}

/** A vendor's sentence in one line, without control characters, at a length fit for a screen. */
export function clipped(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line.length > MESSAGE_MAX ? `${line.slice(0, MESSAGE_MAX - 1)}…` : line;
}

/** What a vendor did; its own `words` follow behind the status it answered with. */
export function vendorFailed(
  code: VendorErrorCode,
  { vendor, status, words }: { vendor: string; status?: number; words: string },
): Told {
  const answered = status === undefined ? '' : ` (HTTP ${status})`;
  return refusal(code, { vendor, words: `${answered}${words === '' ? '.' : `: ${words}`}` });
}

export function notItsApi(vendor: string, status: number): VendorError {
  return new VendorError('VENDOR_ANSWER_UNREADABLE', refusal('VENDOR_NOT_ITS_API', { vendor, status }));
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The sentence most services put into one of these fields. */
export function sentenceOf(body: unknown): string {
  const { message, error, detail, title } = (typeof body === 'object' && body !== null ? body : {}) as JsonObject;
  return [message, error, detail, title].find((one): one is string => typeof one === 'string') ?? '';
}
