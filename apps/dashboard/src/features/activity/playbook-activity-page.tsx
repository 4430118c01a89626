import { runStatuses } from '@airdeck/contracts/statuses';
import { getRouteApi } from '@tanstack/react-router';
import { RunList } from '../../components/run-list/run-list.tsx';
import { t } from '../../language/translate.ts';
import { filtersOf } from '../../lib/search-params.ts';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { type PlaybookActivitySearch, runListFilter } from './activity-search.ts';
import { NoRuns } from './no-runs.tsx';
import { statusFacet } from './status-facet.tsx';

const route = getRouteApi('/_dashboard/activity/playbooks/');

/** Runs of playbooks, newest first. */
export function PlaybookActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const page = search.page ?? 1;
  const change = (part: Partial<PlaybookActivitySearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const turnTo = (to: number) =>
    void navigate({ search: (before) => ({ ...before, page: to === 1 ? undefined : to }) });
  const clear = () => change({ q: undefined, filters: undefined });

  return (
    <>
      <PageHeader title={t('Playbook runs')} purpose={t('Every run of a playbook, and what it waits for.')} />
      <FilterBar
        q={search.q}
        searchLabel={t('Search by playbook')}
        onSearch={(q) => change({ q })}
        facets={[statusFacet(runStatuses, search.filters?.status)]}
        onFacet={(id, selected) =>
          change({ filters: filtersOf({ ...search.filters, [id]: selected }) as PlaybookActivitySearch['filters'] })
        }
        onClear={clear}
      />
      <RunList
        filter={runListFilter(search)}
        page={page}
        onPage={turnTo}
        empty={
          <NoRuns
            page={page}
            filtered={search.q !== undefined || search.filters !== undefined}
            onFirstPage={() => turnTo(1)}
            onClear={clear}
          />
        }
      />
    </>
  );
}
