import type { ResponseHistoryEntry, RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { HistoryPages } from '../../components/history-pages.tsx';
import { known, t } from '../../language/translate.ts';
import { ruleResponseQueries } from '../../queries/rule-responses.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './automation.module.css';
import { OutcomeBadge } from './outcome-badge.tsx';

const PAGE = 10;

/** Cases it was asked to answer, and what came of each. */
export function HistoryPanel({ of }: { of: RuleResponse }) {
  const [page, setPage] = useState(1);
  const history = useQuery({
    ...ruleResponseQueries.history(useTenantApi(), of, page),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const pages = Math.max(1, Math.ceil((history.data?.total ?? 0) / PAGE));
  return (
    <Panel title={t('History')} flush>
      {history.data !== undefined ? (
        history.data.entries.length === 0 ? (
          <p className={classes.empty}>{t('It was not asked to answer a case yet.')}</p>
        ) : (
          <>
            <ol className={classes.history} data-dimmed={history.isPlaceholderData || undefined}>
              {history.data.entries.map((entry) => (
                <Entry key={entry.case_id} entry={entry} type={of.response_type} />
              ))}
            </ol>
            <HistoryPages page={page} pages={pages} onPage={setPage} />
          </>
        )
      ) : history.isError ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} retrying={history.isFetching} />
      ) : (
        <div className={classes.empty}>
          <Loading label={t('Loading the history')}>
            <TextSkeleton lines={4} />
          </Loading>
        </div>
      )}
    </Panel>
  );
}

function Entry({ entry, type }: { entry: ResponseHistoryEntry; type: RuleResponse['response_type'] }) {
  return (
    <li className={classes.entry}>
      <span className={classes.entryLine}>
        <OutcomeBadge entry={entry} />
        <RelativeTime time={entry.at} className={classes.faint ?? ''} />
      </span>
      <span className={classes.entryLine}>
        <Link className={classes.link} to="/air/case-management/$id" params={{ id: entry.case_id }}>
          {entry.case_reference}
        </Link>
        <span className={classes.entryName}>{entry.case_name}</span>
        {entry.run_id === null ? null : <RunLink id={entry.run_id} action={entry.action_uuid} type={type} />}
      </span>
      {entry.problem === null ? null : <span className={classes.problem}>{known(entry.problem)}</span>}
    </li>
  );
}

type RunLinkProps = { id: string; action: string | null; type: RuleResponse['response_type'] };

/** A playbook's run has a page of its own, an action opens beside the list; one that was forgotten leaves the list. */
function RunLink({ id, action, type }: RunLinkProps) {
  return type === 'playbook' ? (
    <Link className={classes.link} to="/activity/playbooks/$id" params={{ id }}>
      {t('Run##one')}
    </Link>
  ) : (
    <Link className={classes.link} to="/activity/actions" search={action === null ? {} : { action }}>
      {t('Run##one')}
    </Link>
  );
}
