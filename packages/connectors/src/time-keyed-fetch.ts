/**
 * Event sources that are asked by time: "everything changed since t, oldest first".
 *
 * Terms: the watermark is the newest time seen; `seen` holds the keys of records at or near it. A round begins `overlapMs`
 * before the watermark, so what the vendor makes visible late is still found. Inside a round the time of the last record
 * begins the next page, including it: a page border in the middle of equal times loses nothing, and `seen` drops what came
 * already. Only when a whole page has one time, the vendor's own continuation is followed; where there is none, the source
 * stops with an error instead of leaving records out. A record that may have changed since the vendor chose the page is
 * taken as it is now, but its time is no place to go on from: what lies between its old and its new time was not on the page.
 * A record that is too large to be taken is left out, and remembered like the others, so that it is told once.
 * A crash repeats the last page: the cursor is stored with its records, or neither is.
 */
import { createHash } from 'node:crypto';
import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';

export type TimeKeyedSource = {
  /** As people read it: `Okta`. */
  readonly vendor: string;
  /** Records from `from` on, including it, oldest first. `next` continues within the same `from`; full pages have one. */
  page(from: Date, next: string | undefined): Promise<SourcePage>;
  /** A page of this many records may have more behind it, unless the page itself says. */
  readonly pageSize: number;
  /** One version of one record: the id alone, or with the time of its change where changes are records too. Null: no id. */
  keyOf(record: JsonObject): string | null;
  /** Time the source is ordered by, in milliseconds; NaN when the record has none. */
  timeOf(record: JsonObject): number;
  readonly overlapMs: number;
};

export type SourcePage = {
  readonly records: readonly JsonObject[];
  readonly next: string | undefined;
  /** There may be more behind it. Default: it has `pageSize` records. */
  readonly isFull?: boolean;
  /** Records of a later time may have changed between being chosen and being read, in milliseconds. Default: none has. */
  readonly settledMs?: number;
  /** They are outlines of records that are too large to be taken. Default: they are the records themselves. */
  readonly isOutline?: boolean;
};

/** Keys remembered; beyond, the oldest are forgotten and a late record may be read twice, never lost. */
const MAX_SEEN = 12_000;
const HOUR_MS = 3_600_000;
const DEFAULT_LOOKBACK_HOURS = 24;

/** The option every source by time has. */
export const lookbackOption: JsonObject = {
  type: 'integer',
  title: 'Hours to look back at the start',
  description: 'How far into the past the first fetch goes. Later ones go on where the last one ended.',
  minimum: 0,
  maximum: 2160,
  default: DEFAULT_LOOKBACK_HOURS,
};

/** The type events get that no parser knows the form of; what policies ask for. */
export function eventTypeOption(usual: string): JsonObject {
  return {
    type: 'string',
    title: 'Type of events',
    description: 'Given to events whose form is not known better.',
    pattern: '^[a-z][a-z0-9_]{0,62}$',
    maxLength: 63,
    default: usual,
  };
}

/** Where a source without a cursor begins. */
export function firstFetchStart({ options, now }: Pick<FetchContext, 'options' | 'now'>): Date {
  const hours = options.lookback_hours;
  const lookback = typeof hours === 'number' && hours >= 0 ? hours : DEFAULT_LOOKBACK_HOURS;
  return new Date(now().getTime() - lookback * HOUR_MS);
}

type Cursor = {
  /** Where the very first fetch began: no overlap reaches further back. */
  readonly startMs: number;
  readonly watermarkMs: number;
  readonly fromMs: number;
  readonly next: string | undefined;
  readonly seen: ReadonlyMap<string, number>;
};

export async function fetchByTime(context: FetchContext, source: TimeKeyedSource): Promise<FetchPage> {
  const cursor = readCursor(context);
  const page = await source.page(new Date(cursor.fromMs), cursor.next);
  const { records, next, isFull = records.length >= source.pageSize, settledMs = Number.POSITIVE_INFINITY } = page;
  const isOutline = page.isOutline === true;
  const seen = new Map(cursor.seen);
  const fresh: JsonObject[] = [];
  let lastMs = cursor.fromMs;
  let newestMs = Math.max(cursor.watermarkMs, cursor.fromMs);
  let leftOut = 0;
  let isOrdered = true;
  for (const record of records) {
    const { key, timeMs } = isOutline ? outlinedIdentityOf(source, record, lastMs) : identityOf(source, record);
    newestMs = Math.max(newestMs, timeMs);
    if (timeMs <= settledMs) {
      isOrdered &&= timeMs >= lastMs || timeMs < cursor.fromMs;
      lastMs = Math.max(lastMs, timeMs);
    }
    if (seen.has(key)) continue;
    seen.set(key, timeMs);
    if (isOutline) leftOut += 1;
    else fresh.push(record);
  }
  // Going on after the newest of a page that is not in order would leave out what is between.
  if (isFull && !isOrdered) {
    throw new VendorError(
      'VENDOR_ANSWER_UNREADABLE',
      `${source.vendor} did not send its records in the order of their time.`,
    );
  }
  const roundStartMs = Math.max(newestMs - source.overlapMs, cursor.startMs);
  const position = isFull ? onward(source, cursor, { lastMs, next }) : { fromMs: roundStartMs };
  const { startMs } = cursor;
  return {
    records: fresh,
    cursor: writeCursor({ startMs, watermarkMs: newestMs, next: undefined, ...position, seen }, roundStartMs),
    hasMore: isFull,
    leftOut,
  };
}

function identityOf(source: TimeKeyedSource, record: JsonObject): { key: string; timeMs: number } {
  const key = source.keyOf(record);
  const timeMs = source.timeOf(record);
  if (key !== null && key !== '' && !Number.isNaN(timeMs)) return { key, timeMs };
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${source.vendor} sent a record without id or time.`);
}

/** Of a record with so many fields that id and time are not in its outline: what is there, and the time it was asked from. */
function outlinedIdentityOf(
  source: TimeKeyedSource,
  outline: JsonObject,
  askedMs: number,
): { key: string; timeMs: number } {
  const timeMs = source.timeOf(outline);
  const key = source.keyOf(outline) ?? createHash('sha256').update(JSON.stringify(outline)).digest('base64url');
  return { key, timeMs: Number.isNaN(timeMs) ? askedMs : timeMs };
}

function onward(
  source: TimeKeyedSource,
  cursor: Cursor,
  { lastMs, next }: { lastMs: number; next: string | undefined },
): { fromMs: number; next?: string } {
  if (lastMs > cursor.fromMs) return { fromMs: lastMs };
  if (next !== undefined && next !== cursor.next) return { fromMs: cursor.fromMs, next };
  throw new VendorError(
    'VENDOR_ANSWER_UNREADABLE',
    `${source.vendor} has more records of one moment (${new Date(lastMs).toISOString()}) than it hands out. Narrow what is fetched.`,
  );
}

function readCursor(context: FetchContext): Cursor {
  const { start, watermark, from, next, seen } = context.cursor ?? {};
  const startMs = timeIn(start) ?? firstFetchStart(context).getTime();
  return {
    startMs,
    watermarkMs: timeIn(watermark) ?? startMs,
    fromMs: timeIn(from) ?? startMs,
    next: typeof next === 'string' ? next : undefined,
    seen: readSeen(seen),
  };
}

export function timeIn(value: unknown): number | undefined {
  const timeMs = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

function readSeen(value: unknown): Map<string, number> {
  const seen = new Map<string, number>();
  for (const entry of Array.isArray(value) ? value : []) {
    const [key, timeMs] = Array.isArray(entry) ? entry : [];
    if (typeof key === 'string' && typeof timeMs === 'number') seen.set(key, timeMs);
  }
  return seen;
}

/** Keeps the keys that the next page can still contain. */
function writeCursor({ startMs, watermarkMs, fromMs, next, seen }: Cursor, roundStartMs: number): JsonObject {
  const oldestMs = Math.min(fromMs, roundStartMs);
  const kept = [...seen].filter(([, timeMs]) => timeMs >= oldestMs).slice(-MAX_SEEN);
  return {
    start: new Date(startMs).toISOString(),
    watermark: new Date(watermarkMs).toISOString(),
    from: new Date(fromMs).toISOString(),
    ...(next === undefined ? {} : { next }),
    seen: kept,
  };
}
