import { limits } from '@airdeck/contracts/limits';
import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { defined } from '../../lib/search-params.ts';
import { caseQueries } from '../../queries/cases.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { BulkOutcomeNote } from './bulk-outcome-note.tsx';
import { CaseFilters } from './case-filters.tsx';
import { caseListParams } from './case-list-query.ts';
import type { CaseListChange } from './case-list-search.ts';
import { CaseTable } from './case-table.tsx';
import { useBulk } from './use-bulk.ts';

const CasePanel = lazy(() => import('./case/case-panel.tsx').then((module) => ({ default: module.CasePanel })));
const CaseBoard = lazy(() => import('./case-board.tsx').then((module) => ({ default: module.CaseBoard })));
const NewCaseDialog = lazy(() =>
  import('../../components/new-case/new-case-dialog.tsx').then((module) => ({ default: module.NewCaseDialog })),
);
const SuppressionsDialog = lazy(() =>
  import('./suppressions-dialog.tsx').then((module) => ({ default: module.SuppressionsDialog })),
);

const route = getRouteApi('/_dashboard/air/case-management/');

/** The cases of a tenant: find the one to work on, and open it beside the list. */
export function CaseListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const bulk = useBulk();
  const params = caseListParams(search);
  const cases = useQuery({ ...caseQueries.list(useTenantApi(), params), placeholderData: keepPreviousData });
  // The panel stays while it closes, to slide out.
  const [panelId, setPanelId] = useState(search.case);
  if (search.case !== undefined && search.case !== panelId) setPanelId(search.case);
  const change = (part: CaseListChange, replace: boolean) =>
    void navigate({
      search: (before) => defined({ ...before, ...part }),
      replace,
      // What opens beside the list leaves it where it is.
      resetScroll: 'page' in part,
    });
  const isBoard = search.view === 'board';

  const closePanel = () => {
    list.current?.querySelector<HTMLElement>('[data-row][data-open]')?.focus();
    change({ case: undefined }, false);
  };

  return (
    <>
      <PageHeader
        title={t('Case management')}
        purpose={t('Cases your policies opened, and what is being done about them.')}
        actions={<ListActions isBoard={isBoard} onView={(view) => change({ view, page: undefined }, false)} />}
      />
      <CaseFilters facets={cases.data?.facets} />
      <BulkOutcomeNote bulk={bulk} />
      <div ref={list}>
        {cases.data !== undefined && isBoard ? (
          <Suspense fallback={<ListSkeleton />}>
            <CaseBoard params={params} statuses={search.filters?.status} bulk={bulk} />
          </Suspense>
        ) : cases.data !== undefined ? (
          <CaseTable
            search={search}
            list={cases.data}
            isOld={cases.isPlaceholderData}
            updatedAt={cases.dataUpdatedAt}
            bulk={bulk}
            onChange={change}
          />
        ) : cases.isError ? (
          <Panel>
            <ErrorState error={cases.error} onRetry={() => void cases.refetch()} retrying={cases.isFetching} />
          </Panel>
        ) : (
          <ListSkeleton />
        )}
      </div>
      {panelId === undefined ? null : (
        <Suspense fallback={null}>
          <CasePanel id={panelId} opened={search.case !== undefined} onClose={closePanel} />
        </Suspense>
      )}
    </>
  );
}

function ListSkeleton() {
  return (
    <Loading label={t('Loading cases')}>
      <TableSkeleton rows={limits.listDefault} />
    </Loading>
  );
}

type ActionsProps = { isBoard: boolean; onView: (view: 'board' | undefined) => void };

function ListActions({ isBoard, onView }: ActionsProps) {
  const { reason } = useAccess('airWork');
  const [dialog, setDialog] = useState<'new' | 'suppressions'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <SegmentedControl
        aria-label={t('View')}
        value={isBoard ? 'board' : 'table'}
        data={[
          { value: 'table', label: t('Table') },
          { value: 'board', label: t('Board') },
        ]}
        onChange={(value) => onView(value === 'board' ? 'board' : undefined)}
      />
      <Button variant="default" aria-haspopup="dialog" onClick={() => setDialog('suppressions')}>
        {t('Suppressed')}
      </Button>
      <GuardedButton
        reason={reason}
        leftSection={<IconPlus size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setDialog('new')}
      >
        {t('New case')}
      </GuardedButton>
      <Suspense fallback={null}>
        {dialog === 'new' ? <NewCaseDialog onClose={close} /> : null}
        {dialog === 'suppressions' ? <SuppressionsDialog onClose={close} /> : null}
      </Suspense>
    </>
  );
}
