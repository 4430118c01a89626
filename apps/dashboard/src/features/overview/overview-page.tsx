import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { defined } from '../../lib/search-params.ts';
import { overviewQueries } from '../../queries/overview.ts';
import { useApp, useSession } from '../../session/app-context.ts';
import { useTenantSwitch } from '../../session/tenant-switch.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { overviewColumns } from './overview-columns.tsx';
import { shownTenants, totalsOf } from './overview-rows.ts';
import { isSort, type OverviewSort } from './overview-search.ts';
import { OverviewTotalsStrip } from './overview-totals.tsx';

const route = getRouteApi('/_dashboard/overview');

type Change = { q?: string | undefined; sort?: OverviewSort | undefined };

/** All tenants of the user at a glance, most urgent first; a row leads into its tenant. */
export function OverviewPage() {
  const { api } = useApp();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const enter = useEnterTenant();
  const overview = useQuery(overviewQueries.list(api));
  const change = (part: Change) =>
    void navigate({ search: (before) => defined({ ...before, ...part }), replace: true });

  return (
    <>
      <PageHeader title={t('All tenants')} purpose={t('Where you are needed first. Open a tenant to work in it.')} />
      {overview.data !== undefined ? (
        <>
          <OverviewTotalsStrip totals={totalsOf(overview.data)} />
          <FilterBar q={search.q} searchLabel={t('Search tenants')} onSearch={(q) => change({ q })} />
          <DataTable
            label={t('Tenants')}
            columns={overviewColumns}
            rows={shownTenants(overview.data, search)}
            rowId={({ id }) => id}
            onOpen={({ id }) => enter(id)}
            sort={search.sort}
            onSort={(sort) => change({ sort: isSort(sort) ? sort : undefined })}
            empty={<NoTenants filtered={search.q !== undefined} onClear={() => change({ q: undefined })} />}
            footer={
              <span>
                {tx('{what} · updated {time}', {
                  what: plural(overview.data.length, '{count} tenant', '{count} tenants'),
                  time: <RelativeTime time={new Date(overview.dataUpdatedAt).toISOString()} />,
                })}
              </span>
            }
          />
        </>
      ) : overview.isError ? (
        <Panel>
          <ErrorState error={overview.error} onRetry={() => void overview.refetch()} retrying={overview.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading tenants')}>
          <TableSkeleton rows={12} />
        </Loading>
      )}
    </>
  );
}

/** The switch of the tenant picker; the tenant one is in already needs none. */
function useEnterTenant(): (tenantId: string) => void {
  const { currentTenant } = useSession();
  const switchTo = useTenantSwitch();
  const navigate = useNavigate();
  return (tenantId) => (tenantId === currentTenant ? void navigate({ to: '/home' }) : switchTo(tenantId));
}

function NoTenants({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered) return <EmptyState title={t('No tenants')}>{t('You are a member of no tenant any more.')}</EmptyState>;
  return (
    <EmptyState title={t('No tenant matches')} action={<Button onClick={onClear}>{t('Clear search')}</Button>}>
      {t('No name of your tenants has this text.')}
    </EmptyState>
  );
}
