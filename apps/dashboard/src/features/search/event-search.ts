import type { FilterOperator } from '@airdeck/contracts/search/schema';
import { listValues } from '@airdeck/contracts/value-list';
import { isUuid } from '@airdeck/domain/uuid';
import {
  FILTER_VALUE_MAX,
  FILTER_VALUES_MAX,
  filterOps,
  type UrlFilter,
  valuesOf,
} from '../../components/event-criteria/url-filter.ts';
import { checkedSearch, flagParam, textParam } from '../../lib/search-params.ts';

const FIELD_MAX = 256;
const COLUMNS_MAX = 20;
const EVENT_ID_MAX = 200;
const RANGE_END_MAX = 40;
// One more than a search may have, so that more is refused by the server instead of searched by its beginning.
const VALUE_MAX = FILTER_VALUE_MAX + 1;
const VALUES_MAX = FILTER_VALUES_MAX + 1;
const FILTERS_MAX = 51;
const INTEGRATIONS_MAX = 51;
const QUERY_MAX = 8_193;

/**
 * Search parameters of spec §2 (`integrations`, `connector_id`, `query`, `timeRange`, `filters`), and what the screen
 * shows of the answer: order (the newest first if none is said), columns, saved search, opened event, live tail.
 */
export function eventSearch(search: Record<string, unknown>) {
  return checkedSearch({
    integrations: textList(search.integrations, INTEGRATIONS_MAX),
    connector_id: idParam(search, 'connector_id'),
    query: textParam(search, 'query', QUERY_MAX),
    timeRange: rangeParam(search.timeRange),
    filters: filterList(search.filters),
    sort: search.sort === 'oldest' ? ('oldest' as const) : undefined,
    columns: textList(search.columns, COLUMNS_MAX),
    saved: idParam(search, 'saved'),
    event: textParam(search, 'event', EVENT_ID_MAX),
    live: flagParam(search, 'live') === true ? true : undefined,
  });
}

export type EventSearch = ReturnType<typeof eventSearch>;

/** Parts of the search to change; undefined drops one. */
export type EventSearchChange = { [K in keyof EventSearch]?: EventSearch[K] | undefined };

function textList(given: unknown, most: number): string[] | undefined {
  const list = Array.isArray(given) ? given : typeof given === 'string' ? listValues(given) : [];
  const texts = list.filter((each): each is string => typeof each === 'string' && each !== '');
  const unique = [...new Set(texts.map((text) => text.slice(0, FIELD_MAX)))].slice(0, most);
  return unique.length === 0 ? undefined : unique;
}

/** Ends that mean nothing are found when the range is reckoned, where the screen says so. */
function rangeParam(given: unknown): { start: string; end: string } | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { start, end } = given as Record<string, unknown>;
  if (typeof start !== 'string' || typeof end !== 'string') return undefined;
  return { start: start.slice(0, RANGE_END_MAX), end: end.slice(0, RANGE_END_MAX) };
}

function filterList(given: unknown): UrlFilter[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const filters = given.map(filterOf).filter((each) => each !== undefined);
  return filters.length === 0 ? undefined : filters.slice(0, FILTERS_MAX);
}

function filterOf(given: unknown): UrlFilter | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const { field, op: named, value: written, off } = given as Record<string, unknown>;
  const op = filterOps.find((each) => each === named);
  if (typeof field !== 'string' || field === '' || field.length > FIELD_MAX || op === undefined) return undefined;
  const value = valueFor(op, written);
  if (valuesOf(op) !== 'none' && value === undefined) return undefined;
  return { field, op, ...(value === undefined ? {} : { value }), ...(off === true ? { off: true as const } : {}) };
}

function valueFor(op: FilterOperator, given: unknown): string | string[] | undefined {
  if (valuesOf(op) === 'none') return undefined;
  if (valuesOf(op) === 'one') return plainText(given);
  const values = (Array.isArray(given) ? given : [given]).map(plainText).filter((each) => each !== undefined);
  return values.length === 0 ? undefined : values.slice(0, VALUES_MAX);
}

function plainText(given: unknown): string | undefined {
  if (typeof given === 'number' || typeof given === 'boolean') return String(given);
  return typeof given === 'string' ? given.slice(0, VALUE_MAX) : undefined;
}

function idParam(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(search, name, 36)?.toLowerCase();
  return text !== undefined && isUuid(text) ? text : undefined;
}
