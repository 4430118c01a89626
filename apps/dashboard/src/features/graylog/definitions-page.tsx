import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { severityLooks } from '../../components/status-table.ts';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { filtersOf } from '../../lib/search-params.ts';
import { graylogQueries, refreshDefinitions } from '../../queries/graylog.ts';
import type { EventDefinition } from '../../queries/graylog-answers.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import type { Facet } from '../../ui/facet-menu.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { definitionColumns } from './definition-columns.tsx';
import { matchingDefinitions, stateOf } from './definition-words.ts';
import { type DefinitionsSearch, definitionStates } from './graylog-search.ts';
import { alertPriorities, severityOfPriority } from './priority.ts';
import { useGraylog, WithGraylog } from './with-graylog.tsx';

const DefinitionPanel = lazy(() =>
  import('./definition-panel.tsx').then((module) => ({ default: module.DefinitionPanel })),
);

const route = getRouteApi('/_dashboard/graylog/event-definitions/');

/** What Graylog watches for, and whether it does. */
export function DefinitionsPage() {
  const graylog = useGraylog();
  return (
    <>
      <PageHeader
        title={t('Event definitions')}
        purpose={t(
          'What Graylog watches for. Here they are switched, looked into and automated; Graylog itself is where they are written.',
        )}
        actions={graylog?.enabled === true ? <Refresh /> : undefined}
      />
      <WithGraylog>{() => <DefinitionList />}</WithGraylog>
    </>
  );
}

/** They are kept for half an hour (spec §9); whoever has just changed one over there wants it now. */
function Refresh() {
  const queryClient = useQueryClient();
  const tenantApi = useTenantApi();
  const fetching = useIsFetching({ queryKey: graylogQueries.definitions(tenantApi).queryKey }) > 0;
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={fetching}
      onClick={() => void refreshDefinitions(queryClient, tenantApi.tenantId)}
    >
      {t('Refresh')}
    </Button>
  );
}

function DefinitionList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(graylogQueries.definitions(useTenantApi()));
  const { q, filters } = search;
  const all = list.data?.definitions;
  const rows = useMemo(() => matchingDefinitions(all ?? [], { q, filters }), [all, q, filters]);
  const change = (part: Partial<DefinitionsSearch>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  const clear = () => change({ q: undefined, filters: undefined });
  const table = useRef<HTMLDivElement>(null);
  useFocusBack(table, search.action !== undefined);
  // The panel stays while it closes, to slide out.
  const [panelId, setPanelId] = useState(search.action);
  if (search.action !== undefined && search.action !== panelId) setPanelId(search.action);
  if (list.data === undefined || all === undefined) {
    return list.isError ? (
      <Panel>
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </Panel>
    ) : (
      <Loading label={t('Loading event definitions')}>
        <TableSkeleton rows={8} />
      </Loading>
    );
  }
  return (
    <>
      <FilterBar
        q={q}
        searchLabel={t('Search event definitions')}
        onSearch={(text) => change({ q: text })}
        facets={facetsOf(all, filters)}
        onFacet={(id, selected) =>
          change({ filters: filtersOf({ ...filters, [id]: selected }) as DefinitionsSearch['filters'] })
        }
        onClear={clear}
      />
      <div ref={table}>
        <DataTable
          label={t('Event definitions')}
          columns={definitionColumns}
          rows={rows}
          rowId={({ id }) => id}
          onOpen={({ id }) => change({ action: id }, false)}
          openId={search.action}
          empty={<NoDefinitions none={all.length === 0} onClear={clear} />}
          footer={
            <span role="status">
              {tx('{what} · as of {time}', {
                what:
                  rows.length < all.length
                    ? plural(all.length, '{shown} of {count} definition', '{shown} of {count} definitions', {
                        shown: rows.length,
                      })
                    : plural(all.length, '{count} definition', '{count} definitions'),
                time: <RelativeTime time={list.data.datetime} />,
              })}
            </span>
          }
        />
      </div>
      {panelId === undefined ? null : (
        <Suspense fallback={null}>
          <DefinitionPanel
            definition={all.find(({ id }) => id === panelId)}
            opened={search.action !== undefined}
            onClose={() => change({ action: undefined }, false)}
          />
        </Suspense>
      )}
    </>
  );
}

function facetsOf(all: readonly EventDefinition[], filters: DefinitionsSearch['filters']): Facet[] {
  return [
    {
      id: 'state',
      label: t('State'),
      selected: filters?.state ?? [],
      options: definitionStates.map((state) => ({
        value: state,
        label: state === 'enabled' ? t('Enabled##definition') : t('Disabled##definition'),
        count: all.filter((each) => stateOf(each) === state).length,
      })),
    },
    {
      id: 'priority',
      label: t('Priority'),
      selected: filters?.priority ?? [],
      options: alertPriorities.map((priority) => ({
        value: `${priority}`,
        label: severityLooks[severityOfPriority[priority]].word,
        count: all.filter((each) => each.priority === priority).length,
      })),
    },
  ];
}

function NoDefinitions({ none, onClear }: { none: boolean; onClear: () => void }) {
  if (none) {
    return (
      <EmptyState title={t('Graylog has no event definitions')}>
        {t('Write one in Graylog, under Alerts, Event definitions: it says which messages raise an alert.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t('No event definition fits')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      }
    >
      {t('The search looks at title, description, search and notifications.')}
    </EmptyState>
  );
}
