import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { polling } from '../../../lib/query-policy.ts';
import { filtersOf } from '../../../lib/search-params.ts';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { numberFormat, useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { useFocusBack } from '../../../ui/use-focus-back.ts';
import { ListActions } from './list-actions.tsx';
import { NoPlaybooks } from './no-playbooks.tsx';
import { playbookColumns } from './playbook-columns.tsx';
import { facetOptions, playbookRows } from './playbook-rows.ts';
import type { PlaybooksSearch } from './playbooks-search.ts';

const PlaybookDrawer = lazy(() =>
  import('./playbook-drawer.tsx').then((module) => ({ default: module.PlaybookDrawer })),
);

const route = getRouteApi('/_dashboard/playbooks/');

/** Every playbook of the tenant and how its runs went; one opens beside the list, to be run. */
export function PlaybooksPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // Definitions stay fresh for long; how the last runs went does not.
  const list = useQuery({
    ...playbookQueries.list(useTenantApi()),
    refetchInterval: polling.playbookFiguresMs,
    refetchOnMount: 'always',
  });
  const change = (part: Partial<PlaybooksSearch>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  const table = useRef<HTMLDivElement>(null);
  useFocusBack(table, search.action !== undefined);
  // The drawer stays while it closes, to slide out.
  const [drawerId, setDrawerId] = useState(search.action);
  if (search.action !== undefined && search.action !== drawerId) setDrawerId(search.action);

  return (
    <>
      <PageHeader
        title={t('Playbooks')}
        purpose={t('Steps that run by themselves, in answer to a case or by hand, and ask where a person must decide.')}
        actions={<ListActions />}
      />
      {list.data !== undefined ? (
        <div ref={table}>
          <Playbooks playbooks={list.data} updatedAt={list.dataUpdatedAt} search={search} onChange={change} />
        </div>
      ) : list.isError ? (
        <Panel>
          <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading playbooks')}>
          <TableSkeleton rows={12} />
        </Loading>
      )}
      {drawerId === undefined ? null : (
        <Suspense fallback={null}>
          <PlaybookDrawer
            id={drawerId}
            opened={search.action !== undefined}
            part={search.settings ?? 'about'}
            onPart={(part) => change({ settings: part === 'about' ? undefined : part })}
            onClose={() => change({ action: undefined, settings: undefined }, false)}
          />
        </Suspense>
      )}
    </>
  );
}

type ListProps = {
  playbooks: readonly Playbook[];
  /** Milliseconds since the epoch. */
  updatedAt: number;
  search: PlaybooksSearch;
  onChange: (part: Partial<PlaybooksSearch>, replace?: boolean) => void;
};

function Playbooks({ playbooks, updatedAt, search, onChange }: ListProps) {
  const { q, filters, sort } = search;
  const rows = useMemo(() => playbookRows(playbooks, { q, filters, sort }), [playbooks, q, filters, sort]);
  const options = useMemo(() => facetOptions(playbooks, q), [playbooks, q]);
  const reader = useReader();
  const clear = () => onChange({ q: undefined, filters: undefined });
  return (
    <>
      {playbooks.length === 0 ? null : (
        <FilterBar
          q={q}
          searchLabel={t('Search playbooks')}
          onSearch={(text) => onChange({ q: text })}
          facets={[
            { id: 'trigger', label: t('Starts by'), options: options.trigger, selected: filters?.trigger ?? [] },
            { id: 'state', label: t('State'), options: options.state, selected: filters?.state ?? [] },
          ]}
          onFacet={(id, selected) =>
            onChange({ filters: filtersOf({ ...filters, [id]: selected }) as PlaybooksSearch['filters'] })
          }
          onClear={clear}
        />
      )}
      <DataTable
        label={t('Playbooks')}
        columns={playbookColumns}
        rows={rows}
        rowId={({ id }) => id}
        onOpen={({ id }) => onChange({ action: id, settings: undefined }, false)}
        openId={search.action}
        sort={sort ?? 'name'}
        onSort={(next) => onChange({ sort: next === 'name' ? undefined : (next as PlaybooksSearch['sort']) })}
        empty={<NoPlaybooks filtered={playbooks.length > 0} onClear={clear} />}
        footer={
          <>
            <span role="status">
              {rows.length === playbooks.length
                ? plural(rows.length, '{count} playbook', '{count} playbooks')
                : plural(rows.length, '{count} playbook of {total}', '{count} playbooks of {total}', {
                    total: numberFormat(reader).format(playbooks.length),
                  })}
            </span>
            <span>{tx('updated {time}', { time: <RelativeTime time={new Date(updatedAt).toISOString()} /> })}</span>
          </>
        }
      />
    </>
  );
}
