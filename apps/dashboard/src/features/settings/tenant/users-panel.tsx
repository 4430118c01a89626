import { Button, Switch } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { areOnlyTheFirst, userQueries } from '../../../queries/users.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { InvitePanel } from './invite-panel.tsx';
import { PagedFooter } from './paged-footer.tsx';
import { pageOf } from './paged-rows.ts';
import classes from './tenant.module.css';
import { useTenantSearch } from './use-tenant-search.ts';
import { userColumns } from './user-columns.tsx';
import { UserPanel } from './user-panel.tsx';

/** Who works in the tenant; a row opens what can be done. */
export function UsersPanel() {
  const tenantApi = useTenantApi();
  const [search, change] = useTenantSearch();
  const [inviting, setInviting] = useState(false);
  const users = useQuery({
    ...userQueries.list(tenantApi, { q: search.q, withDisabled: true }),
    placeholderData: keepPreviousData,
  });
  const withDisabled = search.disabled === true;
  const matching = users.data ?? [];
  const rows = withDisabled ? matching : matching.filter(({ status }) => status !== 'disabled');
  const paged = pageOf(rows, search.page);
  const hidden = matching.length - rows.length;
  return (
    <>
      <div className={classes.toolbar}>
        <FilterBar
          q={search.q}
          searchLabel={t('Search name or address')}
          onSearch={(q) => change({ q, page: undefined })}
        >
          <Switch
            label={hidden === 0 ? t('Show disabled') : t('Show disabled ({hidden})', { hidden })}
            checked={withDisabled}
            onChange={(event) => change({ disabled: event.currentTarget.checked ? true : undefined, page: undefined })}
          />
        </FilterBar>
        <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          {t('Invite user')}
        </Button>
      </div>
      {users.data !== undefined ? (
        <DataTable
          label={t('Users')}
          columns={userColumns}
          rows={paged.rows}
          rowId={({ id }) => id}
          onOpen={({ id }) => change({ user: id }, { replace: false })}
          openId={search.user}
          dimmed={users.isPlaceholderData}
          empty={<NobodyFound onClear={() => change({ q: undefined, disabled: true, page: undefined })} />}
          footer={
            <PagedFooter
              of={paged}
              counted={(total) =>
                areOnlyTheFirst(matching)
                  ? plural(total, 'the first {count} user', 'the first {count} users')
                  : plural(total, '{count} user', '{count} users')
              }
              updatedAt={users.dataUpdatedAt}
              onPage={(page) => change({ page: page === 1 ? undefined : page })}
            />
          }
        />
      ) : users.isError ? (
        <Panel>
          <ErrorState error={users.error} onRetry={() => void users.refetch()} retrying={users.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading users')}>
          <TableSkeleton rows={6} />
        </Loading>
      )}
      <UserPanel id={search.user} q={search.q} onClose={() => change({ user: undefined })} />
      <InvitePanel opened={inviting} onClose={() => setInviting(false)} />
    </>
  );
}

function NobodyFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title={t('Nobody found')} action={<Button onClick={onClear}>{t('Show everybody')}</Button>}>
      {t('No name or address of this tenant has this text, or those that have are disabled.')}
    </EmptyState>
  );
}
