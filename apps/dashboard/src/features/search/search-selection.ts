import type { SavedSearch } from '@airdeck/contracts/search/schema';
import { apiFilter, urlFilter } from '../../components/event-criteria/url-filter.ts';
import type { SavedSearchBody, Selection } from '../../queries/search.ts';
import type { EventSearch, EventSearchChange } from './event-search.ts';
import { defaultColumns, isDefault } from './result-columns.ts';
import { DEFAULT_RANGE, presetOf, rangePresets, type TimeRange, type Window } from './time-range.ts';

type Criteria = Omit<Selection, 'time_range'>;

/** What is searched for, as the API takes it: without the filters that are switched off. */
export function criteriaOf({ integrations, connector_id, query, filters }: EventSearch): Criteria {
  return {
    integrations: integrations ?? [],
    ...(connector_id === undefined ? {} : { connector_id }),
    query: query ?? '',
    filters: (filters ?? []).filter(({ off }) => off !== true).map(apiFilter),
  };
}

export function selectionOf(search: EventSearch, { start, end }: Window): Selection {
  return { ...criteriaOf(search), time_range: { start: start.toISOString(), end: end.toISOString() } };
}

/** Whether anything but the time narrows the search. */
export function isNarrowed({ integrations, connector_id, query, filters }: EventSearch): boolean {
  return [integrations, connector_id, query, filters].some((part) => part !== undefined);
}

/** What is saved of the screen. Presets stay presets, so that tomorrow they mean tomorrow. */
export function savedBody(search: EventSearch, name: string, shared: boolean): SavedSearchBody {
  const range = search.timeRange ?? DEFAULT_RANGE;
  const preset = presetOf(range);
  return {
    name,
    shared,
    criteria: criteriaOf(search),
    time_range: preset === undefined ? { start: range.start, end: range.end } : { preset: preset.name },
    sort: search.sort ?? 'newest',
    columns: [...(search.columns ?? defaultColumns)],
  };
}

/** Whether a range can be saved: one of the presets, or two moments that mean the same to everybody. */
export function isSavable(range: TimeRange): boolean {
  return (
    presetOf(range) !== undefined ||
    [range.start, range.end].every((end) => /^\d{4}-.*(?:Z|[+-]\d{2}:\d{2})$/.test(end))
  );
}

/** Everything a saved search says of the screen; what it does not say is dropped. */
export function openedSearch({ id, criteria, time_range: range, sort, columns }: SavedSearch): EventSearchChange {
  return {
    integrations: criteria.integrations.length === 0 ? undefined : criteria.integrations,
    connector_id: criteria.connector_id,
    query: criteria.query === '' ? undefined : criteria.query,
    timeRange: rangeOf(range),
    filters: criteria.filters.length === 0 ? undefined : criteria.filters.map(urlFilter),
    sort: sort === 'oldest' ? sort : undefined,
    columns: columns.length === 0 || isDefault(columns) ? undefined : columns,
    saved: id,
    event: undefined,
    live: undefined,
  };
}

function rangeOf(range: SavedSearch['time_range']): TimeRange | undefined {
  if (!('preset' in range)) return { start: range.start, end: range.end };
  const preset = rangePresets.find(({ name }) => name === range.preset);
  // One of another release: the usual range, which the screen names.
  if (preset === undefined || (preset.start === DEFAULT_RANGE.start && preset.end === DEFAULT_RANGE.end))
    return undefined;
  return { start: preset.start, end: preset.end };
}

/** Whether the screen shows something else than the saved search it was opened from. */
export function isChanged(search: EventSearch, saved: SavedSearch): boolean {
  const { name, shared } = saved;
  const shown = savedBody(search, name, shared);
  return JSON.stringify(shown) !== JSON.stringify(savedBody(openedSearch(saved) as EventSearch, name, shared));
}
