import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { AlertHistory, AlertHistorySkeleton } from '../../components/widgets/alert-history.tsx';
import listClasses from '../../components/widgets/list-widget.module.css';
import { withinSpan } from '../../components/widgets/span-text.ts';
import { tx } from '../../language/rich-text.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { graylogQueries, HISTORY_LIMIT } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useReader } from '../../ui/reader.ts';
import { historyOf } from './alert-history-buckets.ts';
import classes from './graylog.module.css';
import { NoAlerts } from './no-alerts.tsx';

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void; view: 'chart' | 'table' };

/** Alerts over time by priority, drawn from the alerts themselves. */
export function AlertHistoryWidget({ span, onSpan, view }: Props) {
  const reader = useReader();
  const { timeZone } = reader;
  const asked = { read: { span, timeZone }, limit: HISTORY_LIMIT };
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...graylogQueries.newest(useTenantApi(), asked),
    placeholderData: keepPreviousData,
  });
  const history = useMemo(() => (data === undefined ? [] : historyOf({ ...data, timeZone })), [data, timeZone]);
  if (data === undefined) {
    if (error === null) return <AlertHistorySkeleton />;
    return (
      <div className={listClasses.center}>
        <ErrorState error={error} retrying={isFetching} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data.alerts.length === 0) {
    return (
      <div className={listClasses.center}>
        <NoAlerts span={span} onSpan={onSpan} />
      </div>
    );
  }
  const sum = (priority: 'high' | 'medium' | 'low') => history.reduce((all, bucket) => all + bucket[priority], 0);
  return (
    <>
      {data.alerts.length < data.total ? (
        <p className={classes.cut}>
          {tx('Drawn from the newest {shown} of {total} alerts: older ones are missing.', {
            shown: <Count value={data.alerts.length} />,
            total: <Count value={data.total} />,
          })}
        </p>
      ) : null}
      <AlertHistory
        history={history}
        counts={{ high: sum('high'), medium: sum('medium'), low: sum('low') }}
        view={view}
        within={withinSpan(span, reader)}
        dimmed={isPlaceholderData}
      />
    </>
  );
}
