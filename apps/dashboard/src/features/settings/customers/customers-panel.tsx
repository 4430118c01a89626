import type { Customer } from '@airdeck/contracts/customers/schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormPanel } from '../../../components/form-panel.tsx';
import { plural } from '../../../language/plural.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { customerQueries } from '../../../queries/customers.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { EventUsagePanel } from '../usage/event-usage.tsx';
import { CustomerForm } from './customer-form.tsx';
import classes from './customers.module.css';
import { ProviderRolesBlock } from './provider-roles-block.tsx';

const column = columnsFor<Customer>();

const columns = [
  column.accessor('name', {
    header: t('Customer'),
    meta: { phone: 'title' },
    cell: ({ getValue }) => <span className={classes.name}>{getValue()}</span>,
  }),
  column.accessor('sku_info', {
    header: t('Plan'),
    meta: { width: '240px' },
    cell: ({ getValue }) => {
      const { sku_name, is_search_enabled, is_mdr_enabled } = getValue();
      const parts = is_search_enabled
        ? is_mdr_enabled
          ? t('search and MDR')
          : t('search')
        : is_mdr_enabled
          ? 'MDR'
          : '';
      return (
        <span>
          {sku_name}
          {parts === '' ? null : <span className={classes.faint}>{` ${t('· with {parts}', { parts })}`}</span>}
        </span>
      );
    },
  }),
  column.display({
    id: 'days',
    header: t('Kept / searchable'),
    meta: { width: '140px', align: 'end' },
    cell: ({ row: { original } }) =>
      t('{retention_length_days} / {search_length_days} days', {
        retention_length_days: original.sku_info.retention_length_days,
        search_length_days: original.sku_info.search_length_days,
      }),
  }),
  column.accessor('users', {
    header: t('Users'),
    meta: { width: '120px', align: 'end' },
    cell: ({ row: { original } }) => (
      <span>
        {original.users}
        {original.invited === 0 ? null : (
          <span className={classes.faint}>{` ${t('+ {invited} invited', { invited: original.invited })}`}</span>
        )}
      </span>
    ),
  }),
  column.accessor('created_at', {
    header: t('Created'),
    meta: { width: '124px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
];

/** Tenants this provider manages, and who of its people works in all of them. */
export function CustomersPanel() {
  const customers = useQuery(customerQueries.list(useTenantApi()));
  const [opened, setOpened] = useState(false);
  const [editedId, setEditedId] = useState<string>();
  const edited = customers.data?.find(({ id }) => id === editedId);
  const open = (id: string | undefined) => {
    setEditedId(id);
    setOpened(true);
  };
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open(undefined)}>
      {t('Create customer')}
    </Button>
  );
  return (
    <>
      <div className={classes.toolbar}>
        <p className={classes.lead}>{t('Tenants you manage. A row opens its name, its plan and what it sends.')}</p>
        {create}
      </div>
      {customers.data !== undefined ? (
        <DataTable
          label={t('Customers')}
          columns={columns}
          rows={customers.data}
          rowId={({ id }) => id}
          onOpen={({ id }) => open(id)}
          openId={opened ? editedId : undefined}
          empty={
            <EmptyState title={t('No customer yet')} action={create}>
              {t('A customer is a tenant of its own, with its own users, cases and plan, which you manage from here.')}
            </EmptyState>
          }
          footer={
            <span>
              {tx('{customers} · updated {time}', {
                customers: plural(customers.data.length, '{count} customer', '{count} customers'),
                time: <RelativeTime time={new Date(customers.dataUpdatedAt).toISOString()} />,
              })}
            </span>
          }
        />
      ) : customers.isError ? (
        <Panel>
          <ErrorState
            error={customers.error}
            onRetry={() => void customers.refetch()}
            retrying={customers.isFetching}
          />
        </Panel>
      ) : (
        <Loading label={t('Loading customers')}>
          <TableSkeleton rows={4} />
        </Loading>
      )}
      <ProviderRolesBlock />
      <FormPanel
        title={edited === undefined ? t('Create customer') : edited.name}
        opened={opened}
        onClose={() => setOpened(false)}
      >
        {(onUnsaved) => (
          <>
            <CustomerForm
              key={editedId ?? 'new'}
              customer={edited}
              onUnsaved={onUnsaved}
              onClose={() => setOpened(false)}
            />
            {edited === undefined ? null : (
              <div className={classes.usage}>
                <EventUsagePanel key={edited.id} customerId={edited.id} />
              </div>
            )}
          </>
        )}
      </FormPanel>
    </>
  );
}
