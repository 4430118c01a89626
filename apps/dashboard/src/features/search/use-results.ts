import type { LiveSource, SearchAnswer, SearchOrder } from '@airdeck/contracts/search/schema';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type Selection, searchQueries } from '../../queries/search.ts';
import { useTenantApi } from '../../session/app-context.ts';

/** Events kept of one search in this browser; whoever needs older ones narrows the range, or exports. */
export const MOST_LOADED = 10_000;

/** The answer to a selection; nothing is asked while there is none. */
export function useResults(selection: Selection | undefined, sort: SearchOrder) {
  const tenantApi = useTenantApi();
  const asked = selection ?? nothing;
  const enabled = selection !== undefined;
  const run = useInfiniteQuery({
    ...searchQueries.run(tenantApi, asked, sort),
    enabled,
    placeholderData: keepPreviousData,
    // Coming back to the page must not read every page of a long list again.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const fields = useQuery({
    ...searchQueries.fields(tenantApi, asked),
    enabled,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const pages = run.data?.pages;
  const events = useMemo(() => pages?.flatMap((page) => page.events) ?? [], [pages]);
  const sources = useMemo(() => sourcesOf(pages ?? []), [pages]);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = run;
  const canLoad = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && events.length < MOST_LOADED;
  const loadMore = useCallback(() => {
    if (canLoad) void fetchNextPage();
  }, [canLoad, fetchNextPage]);
  return { run, fields, first: pages?.[0], events, sources, loadMore };
}

/** How connectors searched live did at first; what one left out of a later page is missing from the list, too. */
function sourcesOf([first, ...later]: readonly SearchAnswer[]): LiveSource[] {
  const troubles = later.flatMap(({ sources }) => sources).filter(hasTrouble);
  return (first?.sources ?? []).map((source) => {
    if (hasTrouble(source)) return source;
    const trouble = troubles.find(({ connector_id }) => connector_id === source.connector_id);
    return trouble === undefined ? source : { ...source, state: trouble.state, message: trouble.message };
  });
}

function hasTrouble({ state, message }: LiveSource): boolean {
  return state !== 'answered' || message !== '';
}

/** Stands where a selection is needed and none is; never sent. */
const nothing: Selection = { time_range: { start: '', end: '' } };
