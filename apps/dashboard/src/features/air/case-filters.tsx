import type { CaseList } from '@airdeck/contracts/cases/schema';
import type { CaseSeverity, CaseStatus } from '@airdeck/contracts/statuses';
import { ActionIcon } from '@mantine/core';
import { IconArrowUpRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { StartTimeFilter } from '../../components/start-time/start-time-filter.tsx';
import { caseStatusLooks, type StatusLook, severityLooks } from '../../components/status-table.ts';
import { t } from '../../language/translate.ts';
import { defined, filtersOf } from '../../lib/search-params.ts';
import { caseQueries } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import type { Facet, FacetOption } from '../../ui/facet-menu.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { dateFormat, useReader } from '../../ui/reader.ts';
import { Tip } from '../../ui/tip.tsx';
import { isFiltered, startingAt } from './case-list-query.ts';
import type { CaseListChange, CaseListSearch } from './case-list-search.ts';
import { noFilters } from './case-table.tsx';
import { DroppedFilter } from './dropped-filter.tsx';
import { figureWords } from './figure-words.ts';

// It has the names of all techniques, and few come with one.
const TechniqueFilter = lazy(() =>
  import('./technique-filter.tsx').then((module) => ({ default: module.TechniqueFilter })),
);

const route = getRouteApi('/_dashboard/air/case-management/');

/** Search, facets with counts from the answer, and the time range. */
export function CaseFilters({ facets }: { facets: CaseList['facets'] | undefined }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const reader = useReader();
  const until = (time: string) =>
    t('Until {time}', {
      time: dateFormat(reader, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time)),
    });
  const change = (part: CaseListChange) =>
    void navigate({ search: (before) => defined({ ...before, page: undefined, ...part }), replace: true });
  return (
    <FilterBar
      q={search.q}
      searchLabel={t('Search cases')}
      onSearch={(q) => change({ q })}
      facets={caseFacets(facets, search.filters ?? {})}
      onFacet={(id, selected) => change({ filters: filtersOf({ ...search.filters, [id]: selected }) })}
      filtered={isFiltered(search)}
      onClear={() => change(noFilters)}
    >
      <StartTimeFilter
        label={t('Opened##time')}
        anyTime={t('Any time')}
        startTime={search.startTime}
        onChange={(startTime) => change(startingAt(search, startTime))}
      />
      {search.endTime === undefined ? null : (
        <DroppedFilter label={until(search.endTime)} onDrop={() => change({ endTime: undefined })} />
      )}
      {search.figure === undefined ? null : (
        <DroppedFilter label={figureWords[search.figure]} onDrop={() => change({ figure: undefined })} />
      )}
      {search.policy === undefined ? null : (
        <PolicyFilter ids={search.policy} onDrop={() => change({ policy: undefined })} />
      )}
      {search.technique === undefined ? null : (
        <Suspense fallback={null}>
          <TechniqueFilter id={search.technique} onDrop={() => change({ technique: undefined })} />
        </Suspense>
      )}
    </FilterBar>
  );
}

/** Of one policy its name, and the way back to it. */
function PolicyFilter({ ids, onDrop }: { ids: readonly string[]; onDrop: () => void }) {
  const [id] = ids;
  if (id === undefined || ids.length > 1)
    return <DroppedFilter label={t('{count} policies', { count: ids.length })} onDrop={onDrop} />;
  return <OnePolicy id={id} onDrop={onDrop} />;
}

function OnePolicy({ id, onDrop }: { id: string; onDrop: () => void }) {
  const policy = useQuery(caseQueries.policy(useTenantApi(), id));
  return (
    <>
      <DroppedFilter label={policy.data?.rule.name ?? t('One policy')} onDrop={onDrop} />
      {policy.data === undefined ? null : (
        <Tip label={t('See the policy')}>
          <ActionIcon
            aria-label={t('See the policy')}
            renderRoot={(props) => <Link to="/air/policy-management" search={{ policy: id }} {...props} />}
          >
            <IconArrowUpRight size={16} aria-hidden />
          </ActionIcon>
        </Tip>
      )}
    </>
  );
}

type Filters = NonNullable<CaseListSearch['filters']>;

function caseFacets(counts: CaseList['facets'] | undefined, filters: Filters): Facet[] {
  const option = (look: StatusLook, counted: { value: string; count: number }): FacetOption => {
    const Icon = look.icon;
    return { ...counted, label: look.word, icon: <Icon size={14} color={look.color} aria-hidden /> };
  };
  return [
    {
      id: 'status',
      label: t('Status'),
      selected: filters.status ?? [],
      options: withChosen(counts?.status, filters.status).map((each) =>
        option(caseStatusLooks[each.value as CaseStatus], each),
      ),
    },
    {
      id: 'severity',
      label: t('Severity'),
      selected: filters.severity ?? [],
      options: withChosen(counts?.severity, filters.severity).map((each) =>
        option(severityLooks[each.value as CaseSeverity], each),
      ),
    },
    textFacet('source', t('Source'), counts?.source, filters.source),
    textFacet('category', t('Category'), counts?.category, filters.category),
  ];
}

type Counts = readonly { value: string; count: number }[];

function textFacet(id: string, label: string, counts: Counts | undefined, selected: readonly string[] = []): Facet {
  return { id, label, selected, options: withChosen(counts, selected).map((each) => ({ ...each, label: each.value })) };
}

/** A chosen value no case has any more stays in the menu, or nobody could take it away. */
function withChosen(counts: Counts = [], chosen: readonly string[] = []): Counts {
  const missing = chosen.filter((value) => !counts.some((each) => each.value === value));
  return [...counts, ...missing.map((value) => ({ value, count: 0 }))];
}
