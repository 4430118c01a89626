import { limits } from '@airdeck/contracts/limits';
import type { Policy } from '@airdeck/contracts/policies/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { t } from '../../../language/translate.ts';
import { policyQueries } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { useFocusBack } from '../../../ui/use-focus-back.ts';
import { isFiltered, noFilters, type PoliciesChange, policiesParams } from '../policies-search.ts';
import { SwitchedContext } from './enabled-switch.tsx';
import { ListActions } from './list-actions.tsx';
import { NoPolicies } from './no-policies.tsx';
import { PoliciesFooter } from './policies-footer.tsx';
import { policyColumns } from './policy-columns.tsx';
import { PolicyFilters } from './policy-filters.tsx';
import { UndoSwitch } from './undo-switch.tsx';

const PolicyDrawer = lazy(() => import('./policy-drawer.tsx').then((module) => ({ default: module.PolicyDrawer })));

const route = getRouteApi('/_dashboard/air/policy-management/');

/** The policies of a tenant: which look at events, how much they find; one opens beside the list. */
export function PoliciesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useRef<HTMLDivElement>(null);
  useFocusBack(list, search.policy !== undefined);
  const policies = useQuery({
    ...policyQueries.list(useTenantApi(), policiesParams(search)),
    placeholderData: keepPreviousData,
  });
  const page = search.page ?? 1;
  // The drawer stays while it closes, to slide out.
  const [drawerId, setDrawerId] = useState(search.policy);
  if (search.policy !== undefined && search.policy !== drawerId) setDrawerId(search.policy);
  const [switched, setSwitched] = useState<Policy>();
  const forgetSwitched = useCallback(() => setSwitched(undefined), []);
  const change = (part: PoliciesChange, replace: boolean) =>
    void navigate({
      search: (before) => ({ ...before, ...part }),
      replace,
      // What opens beside the list leaves it where it is.
      resetScroll: 'page' in part,
    });
  const filter = (part: PoliciesChange) => change({ page: undefined, ...part }, true);

  return (
    <SwitchedContext value={setSwitched}>
      <PageHeader
        title={t('Policy management')}
        purpose={t('What is looked for in your events, and when it opens a case.')}
        actions={<ListActions />}
      />
      <PolicyFilters facets={policies.data?.facets} search={search} onChange={filter} />
      <div ref={list}>
        {policies.data !== undefined ? (
          <DataTable
            label={t('Policies')}
            columns={policyColumns}
            rows={policies.data.rules}
            rowId={({ id }) => id}
            onOpen={({ id }) => change({ policy: id }, false)}
            openId={search.policy}
            dimmed={policies.isPlaceholderData}
            empty={
              <NoPolicies
                total={policies.data.total}
                filtered={isFiltered(search)}
                onFirstPage={() => change({ page: undefined }, true)}
                onClear={() => filter(noFilters)}
              />
            }
            footer={
              <PoliciesFooter
                page={page}
                shown={policies.data.rules.length}
                total={policies.data.total}
                updatedAt={policies.dataUpdatedAt}
                onPage={(next) => change({ page: next === 1 ? undefined : next }, false)}
              />
            }
          />
        ) : policies.isError ? (
          <Panel>
            <ErrorState error={policies.error} onRetry={() => void policies.refetch()} retrying={policies.isFetching} />
          </Panel>
        ) : (
          <Loading label={t('Loading policies')}>
            <TableSkeleton rows={limits.policiesPageSize} />
          </Loading>
        )}
      </div>
      {drawerId === undefined ? null : (
        <Suspense fallback={null}>
          <PolicyDrawer
            id={drawerId}
            opened={search.policy !== undefined}
            startTime={search.startTime}
            onClose={() => change({ policy: undefined }, false)}
          />
        </Suspense>
      )}
      {switched === undefined ? null : (
        <UndoSwitch key={`${switched.id} ${switched.version}`} policy={switched} onDone={forgetSwitched} />
      )}
    </SwitchedContext>
  );
}
