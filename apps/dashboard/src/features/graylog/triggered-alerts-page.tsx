import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { severityLooks } from '../../components/status-table.ts';
import { t } from '../../language/translate.ts';
import { graylogQueries } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useReader } from '../../ui/reader.ts';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { alertColumns } from './alert-columns.tsx';
import { AlertListFooter } from './alert-list-footer.tsx';
import { matchingAlerts, onceEach } from './alert-rows.ts';
import { searchOfSpan, spanOfSearch, type TriggeredAlertsSearch } from './graylog-search.ts';
import { NoTriggeredAlerts } from './no-triggered-alerts.tsx';
import { PeriodSelect } from './period-select.tsx';
import { alertPriorities, severityOfPriority } from './priority.ts';
import { WithGraylog } from './with-graylog.tsx';

const AlertPanel = lazy(() => import('./alert-panel.tsx').then((module) => ({ default: module.AlertPanel })));

const route = getRouteApi('/_dashboard/graylog/triggered-alerts');

/** Every alert of a time, newest first; one opens beside the list. */
export function TriggeredAlertsPage() {
  return (
    <>
      <PageHeader title={t('Triggered alerts')} purpose={t('What Graylog has raised, newest first.')} />
      <WithGraylog>{(graylog) => <AlertList graylog={graylog} />}</WithGraylog>
    </>
  );
}

const ALL = 'all';

function AlertList({ graylog }: { graylog: ConnectorSummary }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { timeZone } = useReader();
  const span = spanOfSearch(search);
  const priority = alertPriorities.find((each) => `${each}` === search.priority);
  const list = useInfiniteQuery(graylogQueries.pages(useTenantApi(), { read: { span, timeZone }, priority }));
  const loaded = useMemo(() => onceEach(list.data?.pages.flatMap(({ alerts }) => alerts) ?? []), [list.data]);
  const rows = useMemo(() => matchingAlerts(loaded, search.q), [loaded, search.q]);
  const change = (part: Partial<TriggeredAlertsSearch>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  const table = useRef<HTMLDivElement>(null);
  useFocusBack(table, search.alert !== undefined);
  // The panel stays while it closes, to slide out.
  const [panelId, setPanelId] = useState(search.alert);
  if (search.alert !== undefined && search.alert !== panelId) setPanelId(search.alert);
  const total = list.data?.pages[0]?.total ?? 0;

  return (
    <>
      <FilterBar
        q={search.q}
        searchLabel={t('Search in alerts')}
        onSearch={(q) => change({ q })}
        onClear={() => change({ q: undefined })}
      >
        <SegmentedControl
          aria-label={t('Priority')}
          value={search.priority ?? ALL}
          data={[
            { value: ALL, label: t('All##priorities') },
            ...alertPriorities.map((each) => ({
              value: `${each}`,
              label: severityLooks[severityOfPriority[each]].word,
            })),
          ]}
          onChange={(value) => {
            const chosen = alertPriorities.find((each) => `${each}` === value);
            change({ priority: chosen === undefined ? undefined : `${chosen}` });
          }}
        />
        <PeriodSelect span={span} onSpan={(next) => change(searchOfSpan(next))} />
      </FilterBar>
      {list.data !== undefined ? (
        <div ref={table}>
          <DataTable
            label={t('Triggered alerts')}
            columns={alertColumns}
            rows={rows}
            rowId={({ id }) => id}
            onOpen={({ id }) => change({ alert: id }, false)}
            openId={search.alert}
            empty={
              <NoTriggeredAlerts
                loaded={loaded.length}
                total={total}
                span={span}
                filtered={priority !== undefined}
                onClear={() => change({ q: undefined, priority: undefined })}
                onSpan={(next) => change(searchOfSpan(next))}
              />
            }
          />
          <AlertListFooter shown={rows.length} loaded={loaded.length} total={total} list={list} />
        </div>
      ) : list.isError ? (
        <Panel>
          <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading triggered alerts')}>
          <TableSkeleton rows={12} />
        </Loading>
      )}
      {panelId === undefined ? null : (
        <Suspense fallback={null}>
          <AlertPanel
            graylog={graylog}
            alert={loaded.find(({ id }) => id === panelId)}
            searching={list.isPending}
            opened={search.alert !== undefined}
            onClose={() => change({ alert: undefined }, false)}
          />
        </Suspense>
      )}
    </>
  );
}
