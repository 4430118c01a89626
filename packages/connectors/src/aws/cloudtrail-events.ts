/**
 * CloudTrail's event history as a source of events.
 *
 * The history is given newest first, so it is read in windows of time: all pages of one window, then the next. Events
 * become visible minutes after they happened, so time is settled only when it was read a quarter of an hour later or more.
 * A sweep begins at the settled time and is made every five minutes; windows between two sweeps hold only what is new.
 *
 * `seen` holds everything at or after the settled time, shortened to 64 bits of a hash and kept by second; what was read before
 * is left out. Beyond sixty thousand (about fifty a second; the vendor gives a hundred), the oldest are forgotten and may be read
 * twice, never lost. After an absence windows of one hour catch up.
 * A crash repeats the last page: the cursor is stored with its records, or neither is.
 */

import { createHash } from 'node:crypto';
import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { VendorPage } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { numberOf, textOf } from '../answer-fields.ts';
import { fittingPage } from '../fitting-page.ts';
import { firstFetchStart, timeIn } from '../time-keyed-fetch.ts';
import { EVENTS_PAGE, entryTimeMs, eventOf, lookupPage } from './cloudtrail.ts';

const LATE_MS = 900_000;
const SWEEP_EVERY_MS = 300_000;
const WINDOW_MS = 3_600_000;
const MAX_SEEN = 60_000;
/** 64 bits as base64url. */
const MARK_LENGTH = 11;

type Window = {
  readonly fromMs: number;
  readonly toMs: number;
  /** When its first page was asked for. */
  readonly openedMs: number;
  readonly isSweep: boolean;
  readonly next: string | undefined;
  /** How many events its pages have: a token may only be good for pages of the size it was given with. */
  readonly count: number;
};

type Cursor = {
  readonly settledMs: number;
  readonly untilMs: number;
  readonly sweptMs: number;
  readonly window: Window | undefined;
  /** When they happened, by their marks. */
  readonly seen: ReadonlyMap<string, number>;
};

export async function fetchTrail(context: FetchContext): Promise<FetchPage> {
  const cursor = readCursor(context);
  const window = cursor.window ?? openWindow(cursor, context.now().getTime());
  const { page, size, isOutline } = await fittingPage(context, {
    pageSize: window.count,
    ask: (own, count) => pageOf(own, window, count),
    count: ({ items }) => items.length,
  });
  if (page.next !== undefined && page.next === window.next) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'CloudTrail sends its pages in a circle.');
  }
  const seen = new Map(cursor.seen);
  const fresh: JsonObject[] = [];
  let leftOut = 0;
  for (const entry of page.items) {
    const { id, timeMs } = identityOf(entry);
    const mark = markOf(id);
    if (!seen.has(mark)) {
      if (isOutline) leftOut += 1;
      else fresh.push(eventOf(entry));
    }
    seen.set(mark, timeMs);
  }
  fresh.reverse();
  if (page.next !== undefined) {
    const open = { ...cursor, window: { ...window, next: page.next, count: size }, seen };
    return { records: fresh, cursor: writeCursor(open), hasMore: true, leftOut };
  }
  return {
    records: fresh,
    cursor: writeCursor({ ...closed(cursor, window), seen }),
    hasMore: window.toMs < window.openedMs,
    leftOut,
  };
}

function openWindow({ settledMs, untilMs, sweptMs }: Cursor, nowMs: number): Window {
  const isSweep = nowMs - sweptMs >= SWEEP_EVERY_MS;
  const fromMs = Math.min(isSweep ? settledMs : untilMs, nowMs);
  const toMs = Math.min(fromMs + WINDOW_MS, nowMs);
  return { fromMs, toMs, openedMs: nowMs, isSweep, next: undefined, count: EVENTS_PAGE };
}

function closed(cursor: Cursor, { toMs, openedMs, isSweep }: Window): Omit<Cursor, 'seen'> {
  return {
    settledMs: isSweep ? Math.max(cursor.settledMs, Math.min(toMs, openedMs - LATE_MS)) : cursor.settledMs,
    untilMs: Math.max(cursor.untilMs, toMs),
    sweptMs: isSweep && toMs >= openedMs ? openedMs : cursor.sweptMs,
    window: undefined,
  };
}

async function pageOf(context: FetchContext, window: Window, count: number): Promise<VendorPage<JsonObject, string>> {
  const lookup = { from: new Date(window.fromMs), to: new Date(window.toMs), count };
  if (window.next !== undefined) {
    try {
      return await lookupPage(context, lookup, window.next);
    } catch (error) {
      // A token given long ago may have expired; the window is then read from its start, known events left out.
      if (!(error instanceof VendorError) || error.code !== 'VENDOR_REJECTED') throw error;
    }
  }
  return lookupPage(context, lookup, undefined);
}

function identityOf(entry: JsonObject): { id: string; timeMs: number } {
  const id = textOf(entry, 'EventId');
  const timeMs = entryTimeMs(entry);
  if (id !== null && id !== '' && !Number.isNaN(timeMs)) return { id, timeMs };
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'CloudTrail sent an event without id or time.');
}

function readCursor(context: FetchContext): Cursor {
  const stored = context.cursor ?? {};
  const startMs = firstFetchStart(context).getTime();
  return {
    settledMs: timeIn(stored.settled) ?? startMs,
    untilMs: timeIn(stored.until) ?? startMs,
    sweptMs: timeIn(stored.swept) ?? 0,
    window: readWindow(objectOf(stored.window)),
    seen: readSeen(stored.seen),
  };
}

function readWindow(stored: JsonObject): Window | undefined {
  const [fromMs, toMs, openedMs] = [timeIn(stored.from), timeIn(stored.to), timeIn(stored.opened)];
  if (fromMs === undefined || toMs === undefined || openedMs === undefined) return undefined;
  const count = numberOf(stored, 'count') ?? EVENTS_PAGE;
  return {
    fromMs,
    toMs,
    openedMs,
    isSweep: stored.is_sweep === true,
    next: textOf(stored, 'next') ?? undefined,
    count,
  };
}

function markOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, MARK_LENGTH);
}

/** Marks one behind the other, by their second; earlier releases kept ids with their times. */
function readSeen(value: unknown): Map<string, number> {
  const seen = new Map<string, number>();
  for (const [key, kept] of Object.entries(objectOf(value))) {
    if (typeof kept === 'number') seen.set(markOf(key), kept);
    if (typeof kept !== 'string') continue;
    for (let at = 0; at < kept.length; at += MARK_LENGTH)
      seen.set(kept.slice(at, at + MARK_LENGTH), Number(key) * 1_000);
  }
  return seen;
}

function writeSeen(seen: readonly (readonly [mark: string, timeMs: number])[]): JsonObject {
  const bySecond = new Map<number, string[]>();
  for (const [mark, timeMs] of seen) {
    const second = Math.floor(timeMs / 1_000);
    const own = bySecond.get(second);
    if (own === undefined) bySecond.set(second, [mark]);
    else own.push(mark);
  }
  return Object.fromEntries([...bySecond].map(([second, marks]) => [second, marks.join('')]));
}

function writeCursor({ settledMs, untilMs, sweptMs, window, seen }: Cursor): JsonObject {
  const oldestMs = Math.min(settledMs, window?.fromMs ?? settledMs);
  const kept = [...seen].filter(([, timeMs]) => timeMs >= secondOf(oldestMs)).toSorted(([, a], [, b]) => a - b);
  return {
    settled: timeText(settledMs),
    until: timeText(untilMs),
    swept: timeText(sweptMs),
    ...(window === undefined ? {} : { window: windowText(window) }),
    seen: writeSeen(kept.slice(-MAX_SEEN)),
  };
}

function windowText({ fromMs, toMs, openedMs, isSweep, next, count }: Window): JsonObject {
  const times = { from: timeText(fromMs), to: timeText(toMs), opened: timeText(openedMs) };
  return { ...times, is_sweep: isSweep, count, ...(next === undefined ? {} : { next }) };
}

/** Bounds of a look-up count in seconds. */
function secondOf(timeMs: number): number {
  return Math.floor(timeMs / 1000) * 1000;
}

function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
