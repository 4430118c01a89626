import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { filtersOf } from '../../lib/search-params.ts';
import { actionQueries } from '../../queries/actions.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import classes from './actions.module.css';
import type { ActionsSearch } from './actions-search.ts';
import { CatalogueList } from './catalogue-list.tsx';
import { catalogueRows, vendorOptions } from './catalogue-rows.ts';

const ActionDrawer = lazy(() => import('./action-drawer.tsx').then((module) => ({ default: module.ActionDrawer })));

const route = getRouteApi('/_dashboard/actions/');

/** Everything that can be done in the connected products; one opens beside the list, to be run. */
export function ActionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tenantApi = useTenantApi();
  const catalogue = useQuery(actionQueries.list(tenantApi));
  const connected = useConnected();
  const change = (part: Partial<ActionsSearch>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  const list = useRef<HTMLDivElement>(null);
  useFocusBack(list, search.action !== undefined);
  // The drawer stays while it closes, to slide out.
  const [drawer, setDrawer] = useState(drawerOf(search));
  if (search.action !== undefined && !isOf(drawer, search)) setDrawer(drawerOf(search));

  return (
    <>
      <PageHeader
        title={t('Action catalog')}
        purpose={t('What can be done in your products. Open an action to run it by hand.')}
        actions={
          <Button component={Link} to="/activity/actions" variant="default">
            {t('Action runs')}
          </Button>
        }
      />
      {catalogue.data !== undefined ? (
        <div ref={list}>
          <Catalogue
            actions={catalogue.data}
            updatedAt={catalogue.dataUpdatedAt}
            connected={connected}
            search={search}
            onChange={change}
          />
        </div>
      ) : catalogue.isError ? (
        <Panel>
          <ErrorState
            error={catalogue.error}
            onRetry={() => void catalogue.refetch()}
            retrying={catalogue.isFetching}
          />
        </Panel>
      ) : (
        <Loading label={t('Loading actions')}>
          <TableSkeleton rows={12} />
        </Loading>
      )}
      {drawer.id === undefined ? null : (
        <Suspense fallback={null}>
          <ActionDrawer
            id={drawer.id}
            input={drawer.input}
            caseId={drawer.caseId}
            opened={search.action !== undefined}
            showsSettings={search.settings === true}
            onSettings={(shows) => change({ settings: shows ? true : undefined })}
            onClose={() => change({ ...nothingOpen, action: undefined }, false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** What belongs to one opening of the drawer only. */
const nothingOpen = { input: undefined, case: undefined, settings: undefined } as const;

function drawerOf({ action: id, input, case: caseId }: ActionsSearch) {
  return { id, input, caseId };
}

function isOf(drawer: ReturnType<typeof drawerOf>, search: ActionsSearch): boolean {
  return JSON.stringify(drawer) === JSON.stringify(drawerOf(search));
}

type CatalogueProps = {
  actions: Parameters<typeof catalogueRows>[0];
  /** Milliseconds since the epoch. */
  updatedAt: number;
  connected: ReadonlySet<string> | undefined;
  search: ActionsSearch;
  onChange: (part: Partial<ActionsSearch>, replace?: boolean) => void;
};

function Catalogue({ actions, updatedAt, connected, search, onChange }: CatalogueProps) {
  const { q, filters } = search;
  const rows = useMemo(() => catalogueRows(actions, { q, filters }), [actions, q, filters]);
  const options = useMemo(() => vendorOptions(actions, { q, filters }), [actions, q, filters]);
  const found = rows.filter(({ kind }) => kind === 'action').length;
  const clear = () => onChange({ q: undefined, filters: undefined });
  return (
    <>
      <FilterBar
        q={q}
        searchLabel={t('Search actions')}
        onSearch={(text) => onChange({ q: text })}
        facets={[{ id: 'vendor', label: t('Vendor'), options, selected: filters?.vendor ?? [] }]}
        onFacet={(_, vendor) => onChange({ filters: filtersOf({ vendor }) })}
        onClear={clear}
      />
      <div className={classes.frame}>
        {found === 0 ? (
          <NoActions filtered={q !== undefined || filters !== undefined} onClear={clear} />
        ) : (
          <CatalogueList
            rows={rows}
            connected={connected}
            openId={search.action}
            onOpen={(action) => onChange({ ...nothingOpen, action }, false)}
          />
        )}
        <div className={classes.footer} role="status">
          <span>
            {plural(found, '{count} action', '{count} actions')}
            {found === actions.length ? null : <> {tx('of {count}', { count: <Count value={actions.length} /> })}</>}
          </span>
          <span aria-hidden>
            {tx('updated {time}', { time: <RelativeTime time={new Date(updatedAt).toISOString()} /> })}
          </span>
        </div>
      </div>
    </>
  );
}

function NoActions({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  if (!filtered)
    return <EmptyState title={t('No actions')}>{t('This installation has no integration with actions.')}</EmptyState>;
  return (
    <EmptyState title={t('No action matches')} action={<Button onClick={onClear}>{t('Clear filters')}</Button>}>
      {t('No action fits the search and the filter together.')}
    </EmptyState>
  );
}

/** Integrations with a connector that is not switched off. Not knowing them keeps nobody from looking. */
function useConnected(): ReadonlySet<string> | undefined {
  const { data } = useQuery(connectorQueries.list(useTenantApi()));
  return useMemo(
    () => data && new Set(data.filter(({ enabled }) => enabled).map(({ definition_id }) => definition_id)),
    [data],
  );
}
