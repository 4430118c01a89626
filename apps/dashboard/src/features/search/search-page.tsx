import { parseQuery } from '@airdeck/query-language/parse';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { FilterChips } from '../../components/event-criteria/filter-chips.tsx';
import { withFilter } from '../../components/event-criteria/filter-list.ts';
import { t } from '../../language/translate.ts';
import { defined } from '../../lib/search-params.ts';
import { singleKeysOn } from '../../lib/single-keys.ts';
import type { Selection } from '../../queries/search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { useReader } from '../../ui/reader.ts';
import type { EventSearch, EventSearchChange } from './event-search.ts';
import { LiveButton } from './live-button.tsx';
import type { QueryBarHandle } from './query-bar.tsx';
import { problemIn } from './query-problem.ts';
import { defaultColumns, isDefault, toggled } from './result-columns.ts';
import { ResultsPane } from './results-pane.tsx';
import { SavedSearches } from './saved-searches.tsx';
import { type SearchActions, SearchActionsProvider } from './search-actions.ts';
import classes from './search-page.module.css';
import { selectionOf } from './search-selection.ts';
import { SearchToolbar } from './search-toolbar.tsx';
import { DEFAULT_RANGE, windowOf } from './time-range.ts';
import { usePins } from './use-pins.ts';
import { useResults } from './use-results.ts';

const route = getRouteApi('/_dashboard/search/');

type Props = {
  /** What else can be done with a search, from outside of this feature; undefined while there is nothing to search. */
  actions?: (selection: Selection | undefined) => ReactNode;
};

/** Find events: ask, see when and what, narrow, look at one, go on from there. The address holds all of it. */
export function SearchPage({ actions }: Props) {
  const search = route.useSearch();
  const { timeZone } = useReader();
  const range = search.timeRange ?? DEFAULT_RANGE;
  const { ranAt, change, rerun } = useAddress(search);
  const window = useMemo(() => windowOf(range, ranAt, timeZone), [range, ranAt, timeZone]);
  const isAskable = window !== undefined && parseQuery(search.query ?? '').ok;
  const selection = useMemo(
    () => (window === undefined || !isAskable ? undefined : selectionOf(search, window)),
    [search, window, isAskable],
  );
  const sort = search.live === true ? 'newest' : (search.sort ?? 'newest');
  const results = useResults(selection, sort);
  const queryBar = useRef<QueryBarHandle>(null);
  useSlashKey(() => queryBar.current?.focus());
  const pins = usePins();
  const searchActions = useSearchActionsOf(search, { change, rerun, pins });
  const fieldNames = results.fields.data?.fields ?? [];

  return (
    <SearchActionsProvider value={searchActions}>
      <div className={classes.root}>
        <PageHeader
          title={t('Search')}
          actions={
            <div className={classes.actions}>
              <SavedSearches search={search} onOpen={rerun} onSaved={(id) => change({ saved: id }, true)} />
              {actions?.(selection)}
              <LiveButton
                live={search.live === true}
                onChange={(live) => rerun({ live: live ? true : undefined, event: undefined })}
              />
            </div>
          }
        />
        <SearchToolbar
          search={search}
          range={range}
          now={ranAt}
          queryBar={queryBar}
          refused={problemIn(results.run.error)}
          busy={results.run.isFetching && !results.run.isFetchingNextPage}
          fields={fieldNames}
          onRerun={rerun}
        />
        <FilterChips
          filters={search.filters ?? []}
          fields={fieldNames.map(({ name }) => name)}
          onChange={(filters) => rerun({ filters: filters === undefined ? undefined : [...filters], event: undefined })}
        />
        <ResultsPane
          search={search}
          window={window}
          isAskable={isAskable}
          results={results}
          pins={pins}
          onChange={change}
          onRerun={rerun}
        />
      </div>
    </SearchActionsProvider>
  );
}

type Change = (part: EventSearchChange, replace?: boolean) => void;

/** The address, and the moment of the search, which relative ranges are reckoned from. */
function useAddress(search: EventSearch) {
  const navigate = route.useNavigate();
  const asked = questionOf(search);
  const [run, setRun] = useState(() => ({ asked, at: new Date() }));
  // Not before the address: what was asked until then would be searched once more.
  if (run.asked !== asked) setRun({ asked, at: new Date() });
  const change: Change = useCallback(
    (part, replace = false) => {
      // The panel beside the list comes and goes without moving it.
      const resetScroll = !('event' in part);
      void navigate({ search: (before) => defined({ ...before, ...part }), replace, resetScroll });
    },
    [navigate],
  );
  const rerun = useCallback(
    (part: EventSearchChange) => {
      // The same once more; any other question is another run by itself.
      if (questionOf({ ...(JSON.parse(asked) as EventSearch), ...part }) === asked) setRun({ asked, at: new Date() });
      change(part);
    },
    [change, asked],
  );
  return { ranAt: run.at, change, rerun };
}

/** What decides which events are found, and in which order. */
function questionOf({ integrations, connector_id, query, timeRange, filters, sort, live }: EventSearchChange): string {
  return JSON.stringify({ integrations, connector_id, query, timeRange, filters, sort, live });
}

type Means = { change: Change; rerun: Change; pins: ReturnType<typeof usePins> };

function useSearchActionsOf(search: EventSearch, { change, rerun, pins }: Means): SearchActions {
  const { columns: chosen, filters, live } = search;
  const sort = live === true ? 'newest' : (search.sort ?? 'newest');
  const { ids: pinned, toggle: togglePin } = pins;
  return useMemo(() => {
    const columns: readonly string[] = chosen ?? defaultColumns;
    return {
      columns,
      sort,
      turnRound:
        live === true ? undefined : () => rerun({ sort: sort === 'newest' ? 'oldest' : undefined, event: undefined }),
      pinned,
      togglePin,
      addFilter: (field, op, value) =>
        rerun({
          filters: withFilter(filters, { field, op, ...(value === undefined ? {} : { value }) }),
          event: undefined,
        }),
      setColumns: (next) => change({ columns: next.length === 0 || isDefault(next) ? undefined : [...next] }, true),
      toggleColumn: (field) => {
        const next = toggled(columns, field);
        change({ columns: next.length === 0 || isDefault(next) ? undefined : next }, true);
      },
      searchFor: (query) =>
        rerun({
          query,
          filters: undefined,
          integrations: undefined,
          connector_id: undefined,
          saved: undefined,
          event: undefined,
        }),
    };
  }, [chosen, filters, live, sort, pinned, togglePin, change, rerun]);
}

/** `/` leads to the query from anywhere but a field or dialog. */
function useSlashKey(onSlash: () => void): void {
  const focus = useEffectEvent(onSlash);
  // With the screen, not a moment after it: whoever sees it may press the key.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      const { target } = event;
      const taken = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]';
      if (target instanceof Element && target.closest(taken) !== null) return;
      event.preventDefault();
      focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
