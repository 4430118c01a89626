import { objectOf, textOf } from './request-values.ts';

export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/** A time range as the server reads it, or why it does not. */
export function readTimeRange(value: unknown, now: Date): TimeRange | string {
  const range = objectOf(value);
  if (range.type === 'absolute') return readAbsolute(textOf(range.from), textOf(range.to));
  if (range.type !== undefined && range.type !== 'relative') return `Invalid time range type: ${textOf(range.type)}`;
  const { range: seconds = 3600, from, to } = range;
  if (from !== undefined || to !== undefined) {
    if (range.range !== undefined) return 'If "from" and "to" are specified, "range" must not be specified.';
    const [fromS, toS] = [Number(from), Number(to ?? 0)];
    if (!(fromS >= toS)) return '"from" must be larger than "to".';
    return { fromMs: now.getTime() - fromS * 1000, toMs: now.getTime() - toS * 1000 };
  }
  if (typeof seconds !== 'number' || seconds < 0) return 'Range must not be negative.';
  return { fromMs: seconds === 0 ? 0 : now.getTime() - seconds * 1000, toMs: now.getTime() };
}

export function readAbsolute(from: string, to: string): TimeRange | string {
  const [fromMs, toMs] = [readTime(from), readTime(to)];
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return 'Invalid timestamp, expected ISO 8601 with milliseconds.';
  return { fromMs, toMs };
}

/** `yyyy-MM-dd HH:mm:ss.SSS` in UTC: the only form the index takes inside a query. */
export function readIndexTime(text: string): number {
  const found = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}\.\d{3})$/.exec(text);
  return found === null ? Number.NaN : Date.parse(`${found[1]}T${found[2]}Z`);
}

/** With a `T` it needs milliseconds and an offset; without, it is `yyyy-MM-dd HH:mm:ss[.SSS]` in UTC. */
function readTime(text: string): number {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return Date.parse(text);
  const plain = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{3})?)$/.exec(text);
  return plain === null ? Number.NaN : Date.parse(`${plain[1]}T${plain[2]}Z`);
}
