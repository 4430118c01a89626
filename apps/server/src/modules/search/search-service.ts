import type {
  FoundEvent,
  SearchAnswer,
  SearchBody,
  SearchFields,
  SearchScope,
  SearchSelection,
  SearchValues,
  searchValuesQuerySchema,
} from '@airdeck/contracts/search/schema';
import { checkFieldName, targetOf } from '@airdeck/query-language/field-name';
import { QueryError } from '@airdeck/query-language/query-problem';
import { columnText, pathText } from '@airdeck/query-language/sql-parts';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import { isTooExpensive } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type EventSelection, type SelectedEvents, selectEvents } from './event-selection.ts';
import { completeValues, sampleFields } from './field-sample.ts';
import { bucketWidth } from './histogram.ts';
import type { LiveAnswer, LiveSources } from './live-sources.ts';
import { eventPage, isPlain } from './newest-events.ts';
import { pageOf } from './result-page.ts';
import { readCursor, type SearchCursor, writeCursor } from './search-cursor.ts';
import { asSearchError } from './search-errors.ts';
import { type ClippedRange, clippedRange, rangeOnWire, type Stretch } from './search-range.ts';
import { type SearchSlots, tooManySearches } from './search-slots.ts';
import { createSearchStore, type Reading } from './search-store.ts';

const DAY_MS = 86_400_000;
/** All a search may take; the store gets what is left of it. */
const SEARCH_MS = 9_000;
const FIELDS_MS = 9_000;
/** What a statement gets that begins when the time is all but over. */
const LAST_STATEMENT_MS = 250;
/** While somebody types. */
const VALUES_MS = 3_000;
const SCOPES_MS = 5_000;

type Dependencies = {
  events: Pick<EventsStore, 'query'>;
  slots: SearchSlots;
  /** Days the plan of the tenant reaches back. */
  searchLengthDays: (scope: TenantScope) => Promise<number>;
  live: LiveSources;
  now: () => Date;
};

/** For whom, and until when somebody waits for it. */
export type Asked = { readonly scope: TenantScope; readonly signal: AbortSignal };

export type SearchService = ReturnType<typeof createSearchService>;

/** Searches of the event store. All throw QUERY_INVALID, SEARCH_TOO_EXPENSIVE, RATE_LIMITED and what the store throws. */
export function createSearchService(deps: Dependencies) {
  const { slots } = deps;
  const store = createSearchStore(deps.events);
  const millis = () => deps.now().getTime();

  async function rangeOf(
    scope: TenantScope,
    asked: { start: string; end: string },
    now: number,
  ): Promise<ClippedRange> {
    return clippedRange(asked, { now, searchLengthDays: await deps.searchLengthDays(scope) });
  }

  /**
   * In one of the tenant's slots, with errors for people. Waiting for a slot takes from the same time as the search itself, so
   * that nobody waits longer for an answer, however many ask.
   */
  async function searching<T>(
    { scope, signal }: Asked,
    timeMs: number,
    work: (reading: () => Reading) => Promise<T>,
  ): Promise<{ result: T; tookMs: number }> {
    const asked = millis();
    const waiting = new AbortController();
    const givesUp = setTimeout(() => waiting.abort(tooManySearches()), timeMs - LAST_STATEMENT_MS);
    try {
      return await slots.run(scope.tenantId, AbortSignal.any([signal, waiting.signal]), async () => {
        clearTimeout(givesUp);
        const begun = millis();
        try {
          const left = () => Math.max(LAST_STATEMENT_MS, asked + timeMs - millis());
          const result = await work(() => ({ signal, timeoutMs: left() }));
          return { result, tookMs: Math.max(0, millis() - begun) };
        } catch (error) {
          throw asSearchError(error);
        }
      });
    } finally {
      clearTimeout(givesUp);
    }
  }

  async function firstPageFigures(
    scope: TenantScope,
    selection: EventSelection,
    { range, bucketMs, reading }: { range: Stretch; bucketMs: number; reading: () => Reading },
  ): Promise<{ buckets: { bucket: number; events: number }[]; counted: boolean }> {
    try {
      return { buckets: await store.histogram(scope, selection, { ...range, bucketMs }, reading()), counted: true };
    } catch (error) {
      // The events are worth showing all the same.
      if (isTooExpensive(error)) return { buckets: [], counted: false };
      throw error;
    }
  }

  /** Connectors searched live, each on its own; none of them can fail the search. */
  async function askLive(
    { scope, signal }: Asked,
    { body, tree, range, cursor, at }: LiveAsking,
  ): Promise<LiveAnswer[]> {
    if (!body.live || range.until <= range.from) return [];
    const connectors = await deps.live.of(scope, body);
    const { integrations, limit, sort } = body;
    const question = { ...range, scope, signal, tree, integrations, limit, sort, queryNow: at };
    return await Promise.all(
      connectors.map((connector) => deps.live.ask({ ...question, connector, after: liveStart(cursor, connector.id) })),
    );
  }

  return {
    async run(asked: Asked, body: SearchBody): Promise<SearchAnswer> {
      const { scope } = asked;
      const cursor = body.cursor === undefined ? undefined : readCursor(body, body.cursor);
      const at = Math.min(cursor?.now ?? Number.POSITIVE_INFINITY, millis());
      const selection = selectEvents(body, { now: at });
      // By the present clock: what a cursor says of the time moves nothing but the `now` of its query.
      const wanted = await rangeOf(scope, body.time_range, millis());
      const range = cursor === undefined ? wanted : { ...wanted, until: Math.min(wanted.until, cursor.until) };
      const bucketMs = bucketWidth(wanted);
      const { result, tookMs } = await searching(asked, SEARCH_MS, async (reading) => {
        const after = cursor?.after;
        const stored = eventPage(
          { store, scope, selection, reading },
          // Later pages have no histogram beside them that looks at the whole range anyway.
          {
            ...range,
            limit: body.limit,
            after,
            sort: body.sort,
            inOne: cursor === undefined && isPlain(selection.tree),
          },
        );
        const figures =
          cursor === undefined ? firstPageFigures(scope, selection, { range, bucketMs, reading }) : undefined;
        const live = askLive(asked, { body, tree: selection.tree, range, cursor, at });
        return await allOf(stored, figures, live);
      });
      const { stored, figures, live } = result;
      const page = pageOf({ body, stored, live, cursor });
      const total = cursor?.total ?? totalOf(figures, { events: stored.events.length, complete: stored.complete });
      return {
        events: page.events,
        total,
        histogram: (figures?.buckets ?? []).map(({ bucket, events: count }) => ({
          t: new Date(bucket * bucketMs).toISOString(),
          count,
        })),
        bucket_ms: bucketMs,
        time_range: rangeOnWire(wanted),
        cursor:
          page.next === undefined ? null : writeCursor(body, { now: at, until: range.until, total, ...page.next }),
        took_ms: tookMs,
        partial: stored.cut || figures?.counted === false || live.some(({ source }) => source.state === 'failed'),
        sources: live.map(({ source }) => source),
      };
    },

    async fields(asked: Asked, body: SearchSelection): Promise<SearchFields> {
      const at = millis();
      const selection = selectEvents(body, { now: at });
      const range = await rangeOf(asked.scope, body.time_range, at);
      const { result, tookMs } = await searching(asked, FIELDS_MS, (reading) =>
        sampleFields(store, { scope: asked.scope, selection, reading }, range),
      );
      return { ...result, took_ms: tookMs };
    },

    async values(asked: Asked, query: z.output<typeof searchValuesQuerySchema>): Promise<SearchValues> {
      const { field, prefix, limit } = query;
      const value = valueExpression(field);
      const at = millis();
      const end = query.end ?? new Date(at + 1).toISOString();
      const start = query.start ?? new Date(Date.parse(end) - DAY_MS).toISOString();
      const stretch = await rangeOf(asked.scope, { start, end }, at);
      if (value === undefined) return { field, values: [] };
      const { result } = await searching(asked, VALUES_MS, (reading) =>
        completeValues(store, asked.scope, { value, prefix, limit, stretch }, reading()),
      );
      return { field, values: result };
    },

    async scopes(asked: Asked): Promise<SearchScope[]> {
      const at = millis();
      const whole = { start: new Date(0).toISOString(), end: new Date(at + DAY_MS).toISOString() };
      const range = await rangeOf(asked.scope, whole, at);
      const { result } = await searching(asked, SCOPES_MS, (reading) => store.scopes(asked.scope, range, reading()));
      return result.map(({ integration, event_type, events, last }) => ({
        integration,
        event_type,
        events,
        last_event_at: new Date(last).toISOString(),
      }));
    },

    /** Throws NOT_FOUND, also for an event the plan does not reach back to. */
    async event(asked: Asked, { id, time }: { id: string; time: string | undefined }): Promise<FoundEvent> {
      const at = millis();
      const around = time === undefined ? undefined : Date.parse(time);
      const wanted = {
        start: new Date(around === undefined ? 0 : around - 1).toISOString(),
        end: new Date(around === undefined ? at + DAY_MS : around + 1).toISOString(),
      };
      const range = await rangeOf(asked.scope, wanted, at);
      const { result } = await searching(asked, SEARCH_MS, (reading) =>
        store.event(asked.scope, { ...range, id }, reading()),
      );
      if (result === undefined) throw new AppError('NOT_FOUND');
      return result;
    },
  };
}

type LiveAsking = {
  body: SearchBody;
  tree: SelectedEvents['tree'];
  range: Stretch;
  cursor: SearchCursor | undefined;
  at: number;
};

/** One that was not asked for the page before begins behind the millisecond it ended at, of which stored ones were shown. */
function liveStart(cursor: SearchCursor | undefined, connectorId: string): SearchCursor['live'][string] | undefined {
  return cursor?.live[connectorId] ?? (cursor && { time: cursor.after.time - 1, ids: [] });
}

/** None is left running when another one fails. */
async function allOf<A, B, C>(stored: Promise<A>, figures: Promise<B> | undefined, live: Promise<C>) {
  const [a, b, c] = await Promise.allSettled([stored, figures, live]);
  if (a.status === 'rejected') throw a.reason;
  if (b.status === 'rejected') throw b.reason;
  if (c.status === 'rejected') throw c.reason;
  return { stored: a.value, figures: b.value, live: c.value };
}

function totalOf(
  figures: { buckets: readonly { events: number }[]; counted: boolean } | undefined,
  found: { events: number; complete: boolean },
): SearchAnswer['total'] {
  if (figures?.counted === true) {
    return { value: figures.buckets.reduce((sum, { events }) => sum + events, 0), relation: 'eq' };
  }
  return { value: found.events, relation: found.complete ? 'eq' : 'gte' };
}

/** The field as a text; undefined for fields whose values nobody completes. Throws QUERY_INVALID for impossible names. */
function valueExpression(field: string): string | undefined {
  try {
    checkFieldName(field, { start: 0, end: field.length });
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { message } = error.problem;
    throw new AppError('QUERY_INVALID', { message, details: [{ path: 'query.field', message }] });
  }
  const target = targetOf(field);
  if (target.kind === 'path') return pathText(target.path);
  const { kind } = target.column;
  return kind === 'text' || kind === 'time' ? undefined : columnText(target.column);
}
