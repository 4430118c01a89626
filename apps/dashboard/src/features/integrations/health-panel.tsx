import type { ConnectorHealth } from '@airdeck/contracts/connectors/schema';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../components/status-badge.tsx';
import { connectionTestLooks } from '../../components/status-table.ts';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t, told } from '../../language/translate.ts';
import { connectorQueries } from '../../queries/connectors.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { Count } from '../../ui/count.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useNow } from '../../ui/use-now.ts';
import { type HealthRow, healthRows, kindWords } from './health-rows.ts';
import classes from './integrations.module.css';
import { Metrics } from './metrics.tsx';
import { Took } from './took.tsx';

const column = columnsFor<HealthRow>();

const columns = [
  column.accessor('at', {
    header: t('When'),
    meta: { width: '132px', phone: 'title' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
  column.accessor('kind', {
    header: t('What'),
    meta: { width: '88px' },
    cell: ({ getValue }) => kindWords[getValue()],
  }),
  column.accessor('status', {
    header: t('Result'),
    meta: { width: '116px', phone: 'badge' },
    cell: ({ getValue }) => <StatusBadge look={connectionTestLooks[getValue()]} variant="plain" />,
  }),
  column.accessor('message', {
    header: t('Message'),
    cell: ({ row: { original } }) => (
      <span className={classes.test}>
        <span className={classes.message} title={told(original)}>
          {told(original)}
        </span>
        {original.code === null ? null : <span className={`air-mono ${classes.faint}`}>{original.code}</span>}
      </span>
    ),
  }),
  column.accessor('records', {
    header: t('Events'),
    meta: { width: '84px', align: 'end' },
    cell: ({ getValue }) => {
      const records = getValue();
      return records === null ? <span data-empty>–</span> : <Count value={records} />;
    },
  }),
  column.accessor('by', {
    header: t('By'),
    meta: { width: '96px' },
    cell: ({ getValue }) => (getValue() === 'person' ? t('By hand') : t('Schedule##what')),
  }),
  column.accessor('duration_ms', {
    header: t('Took'),
    meta: { width: '84px', align: 'end' },
    cell: ({ getValue }) => {
      const ms = getValue();
      return ms === 0 ? <span data-empty>–</span> : <Took ms={ms} />;
    },
  }),
];

/** What was done for a connector lately, how it went, and what comes next. */
export function HealthPanel({ id }: { id: string }) {
  const health = useQuery(connectorQueries.health(useTenantApi(), id));
  if (health.data === undefined) {
    if (!health.isError) {
      return (
        <Loading label={t('Loading health')}>
          <TableSkeleton rows={6} />
        </Loading>
      );
    }
    return (
      <Panel>
        <ErrorState error={health.error} onRetry={() => void health.refetch()} retrying={health.isFetching} />
      </Panel>
    );
  }
  return (
    <div className={classes.stack}>
      <Standing of={health.data} />
      <DataTable
        label={t('Tests and fetches')}
        columns={columns}
        rows={healthRows(health.data)}
        rowId={(row) => row.id}
        empty={
          <EmptyState title={t('Nothing happened yet')}>
            {t('Tests and fetches show here as they happen, the latest 50 of each.')}
          </EmptyState>
        }
        footer={
          <span>
            {tx('{what} · updated {time}', {
              what: t('The latest 50 of each'),
              time: <RelativeTime time={new Date(health.dataUpdatedAt).toISOString()} />,
            })}
          </span>
        }
      />
      {health.data.metrics === null ? null : (
        <Panel
          title={t('Metrics')}
          aside={<RelativeTime time={health.data.metrics.at} className={classes.under ?? ''} />}
        >
          <Metrics values={health.data.metrics.values} />
        </Panel>
      )}
    </div>
  );
}

function Standing({ of: { failing_since, last_event_at, schedule } }: { of: ConnectorHealth }) {
  return (
    <Panel title={t('Now')}>
      <div className={classes.standing}>
        <KeyFacts
          facts={[
            {
              label: t('Failing'),
              value:
                failing_since === null ? t('No') : tx('Since {time}', { time: <RelativeTime time={failing_since} /> }),
            },
            {
              label: t('Last event'),
              value: last_event_at === null ? t('None yet') : <RelativeTime time={last_event_at} />,
            },
            { label: t('Next test'), value: <Due of={schedule.test} /> },
            { label: t('Next fetch of events'), value: <Due of={schedule.events} /> },
            { label: t('Next fetch of metrics'), value: <Due of={schedule.metrics} /> },
          ]}
        />
      </div>
    </Panel>
  );
}

function Due({ of: { next_at, failures } }: { of: ConnectorHealth['schedule']['test'] }): ReactNode {
  const now = useNow();
  if (next_at === null) return t('None due');
  return (
    <>
      {Date.parse(next_at) <= now.getTime() ? t('Now') : <RelativeTime time={next_at} />}
      {failures === 0 ? null : (
        <span className={classes.faint}>
          {` · ${plural(
            failures,
            '{count} failure, so it waits longer',
            '{count} failures in a row, so it waits longer',
          )}`}
        </span>
      )}
    </>
  );
}
