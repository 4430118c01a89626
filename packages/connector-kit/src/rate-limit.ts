/**
 * Vendors' own headers for "wait": names differ, and the same name is seconds at one and a point in time at another. What
 * is too large for a wait is read as epoch seconds, or milliseconds.
 */
const resetHeaders = [
  'x-ratelimit-retryafter',
  'x-ratelimit-reset',
  'x-rate-limit-reset',
  'ratelimit-reset',
  'x-ratelimit-reset-after',
] as const;

const remainingHeaders = ['x-ratelimit-remaining', 'x-rate-limit-remaining', 'ratelimit-remaining'] as const;

const EPOCH_FROM_S = 1_000_000_000;
const EPOCH_FROM_MS = 100_000_000_000;
const MAX_WAIT_S = 86_400;

type Headers = Readonly<Record<string, string>>;

/**
 * Seconds until the vendor's window opens again, rounded up; never more than a day. Undefined when no header says so.
 * `Retry-After` is read by the egress module and goes before. Only for answers that refuse because of the limit: vendors
 * send these headers with all others too.
 */
export function rateLimitWaitS(headers: Headers, now: Date): number | undefined {
  for (const name of resetHeaders) {
    const value = numberOf(headers[name]);
    if (value !== undefined) return Math.min(Math.max(Math.ceil(secondsUntil(value, now)), 0), MAX_WAIT_S);
  }
  return undefined;
}

/** Whether the headers say that no call is left, for vendors that refuse with 403 then. */
export function isRateLimitExhausted(headers: Headers): boolean {
  return remainingHeaders.some((name) => numberOf(headers[name]) === 0);
}

function secondsUntil(value: number, now: Date): number {
  if (value >= EPOCH_FROM_MS) return (value - now.getTime()) / 1000;
  return value >= EPOCH_FROM_S ? value - now.getTime() / 1000 : value;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}(?:\.\d{1,6})?\s*$/.test(text) ? Number(text) : undefined;
}
