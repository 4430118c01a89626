import type { AutomationRule, AutomationRuleHistoryEntry } from '@airdeck/contracts/automation-rules/schema';
import { limits } from '@airdeck/contracts/limits';
import { IconAlertTriangle, IconHandStop, IconPlayerSkipForward } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { HistoryPages } from '../../components/history-pages.tsx';
import { RunStatusBadge, StatusBadge } from '../../components/status-badge.tsx';
import { known, t } from '../../language/translate.ts';
import { automationRuleQueries } from '../../queries/automation-rules.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './graylog.module.css';

const PAGE = limits.automationRulesPageSize;

type Props = {
  rule: AutomationRule;
  /** Only what this response did; of the page that is shown. */
  only: string | undefined;
};

/** Alerts it answered, and the runs they started. */
export function RuleHistory({ rule, only }: Props) {
  const [page, setPage] = useState(1);
  const history = useQuery({
    ...automationRuleQueries.history(useTenantApi(), rule.id, page),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const pages = Math.max(1, Math.ceil((history.data?.total ?? 0) / PAGE));
  const entries = history.data?.entries.filter(({ response_name }) => only === undefined || response_name === only);
  return (
    <Panel title={t('History')} flush>
      {entries !== undefined ? (
        entries.length === 0 && pages === 1 ? (
          <p className={classes.empty}>{t('It was not asked to answer an alert yet.')}</p>
        ) : (
          <>
            <ol className={classes.history} data-dimmed={history.isPlaceholderData || undefined}>
              {entries.map((entry) => (
                <Entry key={`${entry.alert_id} ${entry.response_name}`} entry={entry} />
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

function Entry({ entry }: { entry: AutomationRuleHistoryEntry }) {
  const { at, alert_id: alert, alert_title: title, response_name: name, response_type: type, run_id: run } = entry;
  return (
    <li className={classes.historyEntry}>
      <span className={classes.historyLine}>
        <Outcome of={entry} />
        <RelativeTime time={at} className={classes.faint ?? ''} />
      </span>
      <span className={classes.historyLine}>
        <span className={classes.title}>{name}</span>
        {run === null ? null : type === 'playbook' ? (
          <Link className={classes.link} to="/activity/playbooks/$id" params={{ id: run }}>
            {t('Run##one')}
          </Link>
        ) : (
          <Link
            className={classes.link}
            to="/activity/actions"
            search={entry.action_uuid === null ? {} : { action: entry.action_uuid }}
          >
            {t('Run##one')}
          </Link>
        )}
      </span>
      <Link className={classes.link} to="/graylog/triggered-alerts" search={{ period: 'LAST_180_DAYS', alert }}>
        {title}
      </Link>
      {entry.problem === null ? null : <span className={classes.problem}>{known(entry.problem)}</span>}
    </li>
  );
}

const skipped = { word: t('Left out'), color: 'var(--air-text-2)', icon: IconPlayerSkipForward };
const stopped = { word: t('Stopped: too many'), color: 'var(--air-critical)', icon: IconHandStop };
const notStarted = { word: t('Could not start'), color: 'var(--air-critical)', icon: IconAlertTriangle };

function Outcome({ of: { outcome, status } }: { of: AutomationRuleHistoryEntry }) {
  if (outcome === 'skipped') return <StatusBadge look={skipped} variant="plain" />;
  if (outcome === 'failed') return <StatusBadge look={notStarted} variant="plain" />;
  if (outcome === 'stopped') return <StatusBadge look={stopped} variant="plain" />;
  return <RunStatusBadge status={status ?? 'pending'} variant="plain" />;
}
