import { limits } from '@airdeck/contracts/limits';
import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { ruleResponseQueries } from '../../queries/rule-responses.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { AutomationGroup } from './automation-group.tsx';
import classes from './automation-list.module.css';

const PAGE = limits.listMax;

const route = getRouteApi('/_dashboard/air/automation-settings/');

/** Which policy starts what, in which order, and how that went. */
export function AutomationListPage() {
  const { q, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({
    ...ruleResponseQueries.list(useTenantApi(), { limit: PAGE, page, ...(q === undefined ? {} : { q }) }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const change = (part: { q?: string | undefined; page?: number | undefined }) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const isEmpty = list.data?.total === 0;
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
          onSearch={(text) => change({ q: text })}
          facets={[]}
          onFacet={() => undefined}
          onClear={() => change({ q: undefined })}
        />
      )}
      {list.data !== undefined ? (
        isEmpty ? (
          <Panel>
            {q === undefined ? <NoAutomations /> : <NothingFound onClear={() => change({ q: undefined })} />}
          </Panel>
        ) : (
          <>
            {byPolicy(list.data.responses).map((group) => (
              // Whole groups only: with a search or on a page of many, some of a policy may be missing.
              <AutomationGroup
                key={group[0]?.rule_id}
                responses={group}
                isWhole={q === undefined && list.data.total <= PAGE}
              />
            ))}
            <Footer
              page={page}
              total={list.data.total}
              updatedAt={list.dataUpdatedAt}
              onPage={(next) => change({ page: next === 1 ? undefined : next })}
            />
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

type FooterProps = { page: number; total: number; updatedAt: number; onPage: (page: number) => void };

function Footer({ page, total, updatedAt, onPage }: FooterProps) {
  const pages = Math.ceil(total / PAGE);
  return (
    <div className={classes.footer}>
      <span role="status">
        {tx('{what} · updated {time}', {
          what: plural(total, '{count} automation', '{count} automations'),
          time: <RelativeTime time={new Date(updatedAt).toISOString()} />,
        })}
      </span>
      {pages > 1 ? (
        <nav aria-label={t('Pages')} className={classes.place}>
          <ActionIcon size={28} aria-label={t('Previous page')} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          {t('Page {page} of {pages}', { page, pages })}
          <ActionIcon size={28} aria-label={t('Next page')} disabled={page >= pages} onClick={() => onPage(page + 1)}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </nav>
      ) : null}
    </div>
  );
}
