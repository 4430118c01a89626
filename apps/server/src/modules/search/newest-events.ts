import type { FoundEvent, SearchOrder } from '@airdeck/contracts/search/schema';
import type { QueryNode } from '@airdeck/query-language/query-tree';
import { isTooExpensive } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { EventSelection } from './event-selection.ts';
import type { Stretch } from './search-range.ts';
import type { Position, Reading, SearchStore } from './search-store.ts';

/** The first window is this part of the range. */
const FIRST_PART = 256;
const FIRST_MIN_MS = 60_000;
/** Each next window is this many times as long as everything before it: at least, and at most. */
const GROWS_BY = { least: 2, most: 64 } as const;
/** Events are never spread evenly. */
const TO_SPARE = 1.5;
/** What asking for a whole range at once may take, before its windows are tried. */
const IN_ONE_MS = 3_000;
/** Events of hundreds of kilobytes fill an answer long before there are a thousand of them. */
const SHRINKS = 10;

/**
 * A range in windows from its newest end: the store orders by integration and type before time, so asking for the newest
 * hundred of a month at once would look at the whole month. The first window is small; each next one is as long as what is
 * missing should need, by how many were found so far (`progress` is asked after each). Few matches make few windows.
 */
export function* newestWindows(
  { from, until }: Stretch,
  progress: () => { found: number; wanted: number },
): Generator<Stretch> {
  let end = until;
  let width = Math.max(FIRST_MIN_MS, Math.ceil((until - from) / FIRST_PART));
  while (end > from) {
    const start = Math.max(from, end - width);
    yield { from: start, until: end };
    end = start;
    const { found, wanted } = progress();
    const read = until - start;
    const growth = found === 0 ? GROWS_BY.most : (TO_SPARE * (wanted - found)) / found;
    width = Math.ceil(read * Math.min(GROWS_BY.most, Math.max(GROWS_BY.least, growth)));
  }
}

/** The same from the oldest end. */
export function* oldestWindows(range: Stretch, progress: () => { found: number; wanted: number }): Generator<Stretch> {
  const { from, until } = range;
  for (const window of newestWindows(range, progress)) {
    yield { from: from + until - window.until, until: from + until - window.from };
  }
}

const windowsOf = { newest: newestWindows, oldest: oldestWindows } as const;

type Page = Stretch & { readonly limit: number; readonly after: Position | undefined; readonly sort: SearchOrder };

/** `complete`: there are no more in the range. `cut`: what it would have taken to find more was too much. */
export type EventPage = { readonly events: FoundEvent[]; readonly complete: boolean; readonly cut: boolean };

type Asking = {
  readonly store: Pick<SearchStore, 'page'>;
  readonly scope: TenantScope;
  readonly selection: EventSelection;
  /** How long what comes next may take. */
  readonly reading: () => Reading;
};

/**
 * The newest or oldest events of a range, or those after a position; no stretch of time is read twice. May be fewer than asked for
 * although there are more, when more would be too much for one answer; throws only when not even one was found.
 *
 * `inOne` asks for the whole range at once first: quicker where few events match and looking at each is cheap.
 */
export async function eventPage(asking: Asking, page: Page & { readonly inOne: boolean }): Promise<EventPage> {
  const { limit, inOne } = page;
  const rest = restOf(page);
  if (inOne && rest.until > rest.from) {
    const events = await quickly(asking, rest);
    if (events !== undefined) return { events, complete: events.length < limit, cut: false };
  }
  return await inWindows(asking, rest);
}

/** Without what lies before the position, whose own millisecond may hold several events. */
function restOf({ from, until, after, ...page }: Page): Page {
  if (after === undefined) return { ...page, from, until, after };
  const stretch =
    page.sort === 'newest'
      ? { from, until: Math.min(until, after.time + 1) }
      : { from: Math.max(from, after.time), until };
  return { ...page, ...stretch, after };
}

/** Undefined when it takes too long. */
async function quickly({ store, scope, selection, reading }: Asking, page: Page): Promise<FoundEvent[] | undefined> {
  const { timeoutMs, ...rest } = reading();
  try {
    return await store.page(scope, selection, page, { ...rest, timeoutMs: Math.min(IN_ONE_MS, timeoutMs) });
  } catch (error) {
    if (isTooExpensive(error)) return undefined;
    throw error;
  }
}

async function inWindows(asking: Asking, page: Page): Promise<EventPage> {
  const { store, scope, selection, reading } = asking;
  const { limit, after, sort } = page;
  const events: FoundEvent[] = [];
  for (const window of windowsOf[sort](page, () => ({ found: events.length, wanted: limit }))) {
    const part = { ...window, limit: limit - events.length, after, sort };
    try {
      events.push(...(await store.page(scope, selection, part, reading())));
    } catch (error) {
      if (!isTooExpensive(error)) throw error;
      if (events.length > 0) return { events, complete: false, cut: true };
      return { events: await fewerOf(asking, part), complete: false, cut: true };
    }
    if (events.length >= limit) return { events, complete: false, cut: false };
  }
  return { events, complete: true, cut: false };
}

/** The same page with fewer events; the error of the smallest one is the caller's. */
async function fewerOf({ store, scope, selection, reading }: Asking, page: Page): Promise<FoundEvent[]> {
  for (let limit = Math.ceil(page.limit / SHRINKS); ; limit = Math.ceil(limit / SHRINKS)) {
    try {
      return await store.page(scope, selection, { ...page, limit }, reading());
    } catch (error) {
      if (!isTooExpensive(error) || limit === 1) throw error;
    }
  }
}

/** Whether looking at an event is cheap: no wildcards, no expressions, and something that leaves most events out. */
export function isPlain(tree: QueryNode): boolean {
  switch (tree.kind) {
    case 'all':
      return false;
    case 'and':
      return (
        tree.parts.some((part) => part.kind !== 'all') &&
        tree.parts.every((part) => part.kind === 'all' || isPlain(part))
      );
    case 'or':
      return tree.parts.every(isPlain);
    case 'not':
      return isPlain(tree.part);
    case 'term':
      return tree.match.kind !== 'wildcard' && tree.match.kind !== 'regex';
  }
}
