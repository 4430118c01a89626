import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Updated } from '../../components/updated.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { automationRuleQueries } from '../../queries/automation-rules.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { type GrowingList, MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { ruleColumns } from './rule-columns.tsx';
import { useGraylog, WithGraylog } from './with-graylog.tsx';

const route = getRouteApi('/_dashboard/graylog/automation-settings/');

/** Which alerts start what, and how that stands in Graylog. */
export function RulesPage() {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const graylog = useGraylog();
  const list = useInfiniteQuery({
    ...automationRuleQueries.list(useTenantApi(), q),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const rules = list.data?.pages.flat();
  const isEmpty = rules?.length === 0;
  const change = (text: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, q: text }), replace: true });
  return (
    <>
      <PageHeader
        title={t('Automation settings')}
        purpose={t('What starts by itself when Graylog raises an alert.')}
        // Where there is nothing, what teaches that has the button; until that is known there is none to take away.
        actions={graylog === undefined || ((list.isPending || isEmpty) && q === undefined) ? undefined : <NewButton />}
      />
      {isEmpty && q === undefined ? null : (
        <FilterBar q={q} searchLabel={t('Search automations')} onSearch={change} onClear={() => change(undefined)} />
      )}
      {rules !== undefined ? (
        isEmpty && q === undefined ? (
          // Without a Graylog nothing can be automated, and that comes first.
          <WithGraylog>
            {() => (
              <Panel>
                <NoRules />
              </Panel>
            )}
          </WithGraylog>
        ) : (
          <Rules rules={rules} list={list} onClear={() => change(undefined)} />
        )
      ) : list.isError ? (
        <Panel>
          <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading automations')}>
          <TableSkeleton rows={8} />
        </Loading>
      )}
    </>
  );
}

type ListState = GrowingList & { dataUpdatedAt: number; isPlaceholderData: boolean };

function Rules({ rules, list, onClear }: { rules: readonly AutomationRule[]; list: ListState; onClear: () => void }) {
  const navigate = useNavigate();
  return (
    <DataTable
      label={t('Automations')}
      columns={ruleColumns}
      rows={rules}
      rowId={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: '/graylog/automation-settings/edit/$id', params: { id } })}
      dimmed={list.isPlaceholderData}
      empty={
        <EmptyState
          title={t('No automation fits')}
          action={
            <Button variant="default" onClick={onClear}>
              {t('Clear the search')}
            </Button>
          }
        >
          {t('The search looks at the names of automations, of their event definitions, and of what they start.')}
        </EmptyState>
      }
      footer={
        <>
          <span role="status">
            {list.hasNextPage
              ? plural(rules.length, '{count} or more automation', '{count} or more automations')
              : plural(rules.length, '{count} automation', '{count} automations')}
            <Updated at={list.dataUpdatedAt} />
          </span>
          <MoreButton list={list}>{t('Load more')}</MoreButton>
        </>
      }
    />
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ to: '/graylog/automation-settings/new' })}
    >
      {t('New automation')}
    </Button>
  );
}

function NoRules() {
  return (
    <EmptyState title={t('Nothing starts by itself yet')} action={<NewButton />}>
      {t(
        'Choose an event definition and the playbook or action that answers it: then an alert is looked into, contained or escalated seconds after Graylog has raised it.',
      )}
    </EmptyState>
  );
}
