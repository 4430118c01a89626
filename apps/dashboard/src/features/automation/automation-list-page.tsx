import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Updated } from '../../components/updated.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { ruleResponseQueries } from '../../queries/rule-responses.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { type GrowingList, MoreButton } from '../../ui/more-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { AutomationGroup } from './automation-group.tsx';
import classes from './automation-list.module.css';

const route = getRouteApi('/_dashboard/air/automation-settings/');

/** Which policy starts what, in which order, and how that went. */
export function AutomationListPage() {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery({
    ...ruleResponseQueries.list(useTenantApi(), q),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const change = (text: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, q: text }), replace: true });
  const groups = byPolicy(list.data?.pages.flatMap(({ responses }) => responses) ?? []);
  const total = list.data?.pages.at(-1)?.total ?? 0;
  const isEmpty = list.data !== undefined && groups.length === 0;
  return (
    <>
      <PageHeader
        title={t('Automation settings')}
        purpose={t('What starts by itself when a policy opens a case, or when the time of one runs out.')}
        actions={<NewButton />}
      />
      {isEmpty && q === undefined ? null : (
        <FilterBar
          q={q}
          searchLabel={t('Search automations')}
          onSearch={change}
          facets={[]}
          onFacet={() => undefined}
          onClear={() => change(undefined)}
        />
      )}
      {list.data !== undefined ? (
        isEmpty ? (
          <Panel>{q === undefined ? <NoAutomations /> : <NothingFound onClear={() => change(undefined)} />}</Panel>
        ) : (
          <>
            {groups.map((group, index) => (
              // Whole groups only: with a search some of a policy may be missing, and of the last one where more are to come.
              <AutomationGroup
                key={group[0]?.rule_id}
                responses={group}
                isWhole={q === undefined && !(list.hasNextPage && index === groups.length - 1)}
              />
            ))}
            <Footer total={total} list={list} />
          </>
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

function NewButton() {
  const { reason } = useAccess('airAutomation');
  const navigate = useNavigate();
  return (
    <GuardedButton
      reason={reason}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => void navigate({ to: '/air/automation-settings/new' })}
    >
      {t('New automation')}
    </GuardedButton>
  );
}

function NoAutomations() {
  return (
    <EmptyState title={t('Nothing starts by itself yet')} action={<NewButton />}>
      {t(
        'Choose a policy and the playbook or action that answers it: then a case is looked into, contained or escalated before anybody has opened it.',
      )}
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title={t('No automation fits')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Clear the search')}
        </Button>
      }
    >
      {t('The search looks at the names of automations, of their policies, and of what they start.')}
    </EmptyState>
  );
}

/** In the order of the list, which has those of a policy together. */
function byPolicy(responses: readonly RuleResponse[]): RuleResponse[][] {
  const groups = new Map<string, RuleResponse[]>();
  for (const response of responses) {
    groups.set(response.rule_id, [...(groups.get(response.rule_id) ?? []), response]);
  }
  return [...groups.values()];
}

type FooterProps = { total: number; list: GrowingList & { dataUpdatedAt: number } };

function Footer({ total, list }: FooterProps) {
  return (
    <div className={classes.footer}>
      <span role="status">
        {plural(total, '{count} automation', '{count} automations')}
        <Updated at={list.dataUpdatedAt} />
      </span>
      <MoreButton list={list}>{t('Load more')}</MoreButton>
    </div>
  );
}
