import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { t } from '../../../language/translate.ts';
import { auditQueries } from '../../../queries/audit.ts';
import { userQueries } from '../../../queries/users.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { useTenantName } from '../../../session/use-current-user.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { useTenantSearch } from '../tenant/use-tenant-search.ts';
import classes from './audit.module.css';
import { AuditExport } from './audit-export.tsx';
import { auditFilterOf, isFiltered } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import { type AuditNames, peopleOf } from './audit-names.ts';
import { AuditVerify } from './audit-verify.tsx';

/** Everything that was changed in the tenant or refused, and by whom. */
export function AuditPanel() {
  const [search, change] = useTenantSearch();
  const filter = auditFilterOf(search);
  const records = useInfiniteQuery(auditQueries.list(useTenantApi(), filter));
  const clear = () => change({ filters: undefined, startTime: undefined, endTime: undefined });
  const list = useMemo(() => records.data?.pages.flatMap((page) => page.records), [records.data]);
  const seen = useMemo(() => new Set(list?.map(({ action }) => action)), [list]);
  const names = useNames();
  return (
    <>
      <div className={classes.tools}>
        <AuditVerify />
        <AuditExport filter={filter} filtered={isFiltered(search)} />
      </div>
      <AuditFilters search={search} seen={seen} onChange={change} onClear={isFiltered(search) ? clear : undefined} />
      {list === undefined ? (
        records.isError ? (
          <Panel>
            <ErrorState error={records.error} onRetry={() => void records.refetch()} retrying={records.isFetching} />
          </Panel>
        ) : (
          <Loading label={t('Loading audit records')}>
            <TableSkeleton rows={12} />
          </Loading>
        )
      ) : list.length === 0 ? (
        <Panel>
          <EmptyState title={t('No record')} action={<Button onClick={clear}>{t('Clear filters')}</Button>}>
            {t('Nothing was recorded that fits these filters.')}
          </EmptyState>
        </Panel>
      ) : (
        <AuditList
          records={list}
          names={names}
          more={{
            has: records.hasNextPage,
            loading: records.isFetchingNextPage,
            problem: records.isFetchNextPageError ? records.error : null,
            load: () => void records.fetchNextPage({ cancelRefetch: false }),
          }}
        />
      )}
    </>
  );
}

const nobody: AuditNames['people'] = new Map();

/** Names that only add to a record: without them it shows what it holds itself. */
function useNames(): AuditNames {
  const tenantApi = useTenantApi();
  const name = useTenantName();
  const { data: people = nobody } = useQuery({
    ...userQueries.list(tenantApi, { withDisabled: true }),
    select: peopleOf,
  });
  const id = tenantApi.tenantId;
  return useMemo(() => ({ people, tenant: { id, name } }), [people, id, name]);
}
