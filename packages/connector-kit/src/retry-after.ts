/**
 * Seconds a vendor asks us to wait: `Retry-After` as seconds or HTTP date. Undefined when absent or not readable; never
 * negative, never more than a day.
 */
export function retryAfterSeconds(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : dateSeconds(text, now);
  if (!Number.isFinite(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), 86_400);
}

/** HTTP dates begin with the name of a day; the host's parser takes almost anything else for a date too. */
function dateSeconds(text: string, now: Date): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Math.ceil((Date.parse(text) - now.getTime()) / 1000) : Number.NaN;
}
