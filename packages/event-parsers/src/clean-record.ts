import { serverLimits } from '@airdeck/contracts/server-limits';
import { parseJson } from './exact-json.ts';
import type { JsonObject } from './format.ts';

/** Deeper than this, JSON is an attack on whoever walks it, not a log record. */
export const MAX_DEPTH = 64;
/** Field that says how many bytes of the original are not in `raw`. */
export const TRUNCATED_FIELD = 'raw_truncated_bytes';

const UNSAFE_ESCAPE = /\\u(?:0000|d[89a-f])/i;

export type CutText = { text: string; cutBytes: number };

/** The text as a store takes it, and without what goes beyond the size that is kept (never half a character). */
export function cutText(text: string, maxBytes: number = serverLimits.eventLineMaxBytes): CutText {
  const clean = cleanText(text);
  // A UTF-16 unit takes three bytes at most, so most lines need no counting.
  if (clean.length * 3 <= maxBytes) return { text: clean, cutBytes: 0 };
  const bytes = Buffer.from(clean, 'utf8');
  if (bytes.length <= maxBytes) return { text: clean, cutBytes: 0 };
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return { text: bytes.toString('utf8', 0, end), cutBytes: bytes.length - end };
}

/** The record that this JSON text writes, without what no store takes; the very object where it holds nothing of the kind. */
export function cleanRecord(record: JsonObject, json: string): JsonObject {
  return hasUnsafeEscapes(json) ? (cleanValue(record) as JsonObject) : record;
}

/** Whether the JSON text writes characters that no store takes: NULs and halves of surrogate pairs. */
function hasUnsafeEscapes(json: string): boolean {
  return json.includes('\\u') && UNSAFE_ESCAPE.test(json);
}

/** The JSON value a text holds, without what no store takes; undefined for a text that is none, or lies too deep at this depth. */
export function cleanJson(text: string, depth = 0): unknown {
  try {
    const value = parseJson(text);
    if (isTooDeep(value, depth)) return undefined;
    return hasUnsafeEscapes(text) ? cleanValue(value, depth) : value;
  } catch {
    // Looks like JSON and is not, or was cut off on its way: the text itself is kept by whoever asks.
    return undefined;
  }
}

/** A copy without NULs and lone surrogates, keys included. What lies deeper than `MAX_DEPTH` is left out. */
export function cleanValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), cleanValue(inner, depth + 1)]),
  );
}

/** The text without NULs, and with U+FFFD for halves of surrogate pairs; nearly always the very text. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}

/** Whether objects and arrays lie within each other deeper than `MAX_DEPTH`. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  if (Array.isArray(value)) return value.some((item) => isTooDeep(item, depth + 1));
  for (const key in value) {
    const inner: unknown = (value as Record<string, unknown>)[key];
    if (typeof inner === 'object' && inner !== null && isTooDeep(inner, depth + 1)) return true;
  }
  return false;
}
