import type { ConnectorHealth } from '@airdeck/contracts/connectors/schema';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../components/status-badge.tsx';
import { connectionTestLooks } from '../../components/status-table.ts';
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
    header: 'When',
    meta: { width: '132px', phone: 'title' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
  column.accessor('kind', {
    header: 'What',
    meta: { width: '88px' },
    cell: ({ getValue }) => kindWords[getValue()],
  }),
  column.accessor('status', {
    header: 'Result',
    meta: { width: '116px', phone: 'badge' },
    cell: ({ getValue }) => <StatusBadge look={connectionTestLooks[getValue()]} variant="plain" />,
  }),
  column.accessor('message', {
    header: 'Message',
    cell: ({ row: { original } }) => (
      <span className={classes.test}>
        <span className={classes.message} title={original.message}>
          {original.message}
        </span>
        {original.code === null ? null : <span className={`air-mono ${classes.faint}`}>{original.code}</span>}
      </span>
    ),
  }),
  column.accessor('records', {
    header: 'Events',
    meta: { width: '84px', align: 'end' },
    cell: ({ getValue }) => {
      const records = getValue();
      return records === null ? <span data-empty>–</span> : <Count value={records} />;
    },
  }),
  column.accessor('by', {
    header: 'By',
    meta: { width: '96px' },
    cell: ({ getValue }) => (getValue() === 'person' ? 'By hand' : 'Schedule'),
  }),
  column.accessor('duration_ms', {
    header: 'Took',
    meta: { width: '84px', align: 'end' },
    cell: ({ getValue }) => <Took ms={getValue()} />,
  }),
];

/** What was done for a connector lately, how it went, and what comes next. */
export function HealthPanel({ id }: { id: string }) {
  const health = useQuery(connectorQueries.health(useTenantApi(), id));
  if (health.data === undefined) {
    if (!health.isError) {
      return (
        <Loading label="Loading health">
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
        label="Tests and fetches"
        columns={columns}
        rows={healthRows(health.data)}
        rowId={(row) => row.id}
        empty={
          <EmptyState title="Nothing happened yet">
            Tests and fetches show here as they happen, the latest 50 of each.
          </EmptyState>
        }
        footer={
          <span>
            The latest 50 of each · updated <RelativeTime time={new Date(health.dataUpdatedAt).toISOString()} />
          </span>
        }
      />
      {health.data.metrics === null ? null : (
        <Panel title="Metrics" aside={<RelativeTime time={health.data.metrics.at} className={classes.under ?? ''} />}>
          <Metrics values={health.data.metrics.values} />
        </Panel>
      )}
    </div>
  );
}

function Standing({ of: { failing_since, last_event_at, schedule } }: { of: ConnectorHealth }) {
  return (
    <Panel title="Now">
      <div className={classes.standing}>
        <KeyFacts
          facts={[
            {
              label: 'Failing',
              value:
                failing_since === null ? (
                  'No'
                ) : (
                  <>
                    Since <RelativeTime time={failing_since} />
                  </>
                ),
            },
            { label: 'Last event', value: last_event_at === null ? 'None yet' : <RelativeTime time={last_event_at} /> },
            { label: 'Next test', value: <Due of={schedule.test} /> },
            { label: 'Next fetch of events', value: <Due of={schedule.events} /> },
            { label: 'Next fetch of metrics', value: <Due of={schedule.metrics} /> },
          ]}
        />
      </div>
    </Panel>
  );
}

function Due({ of: { next_at, failures } }: { of: ConnectorHealth['schedule']['test'] }): ReactNode {
  const now = useNow();
  if (next_at === null) return 'None due';
  return (
    <>
      {Date.parse(next_at) <= now.getTime() ? 'Now' : <RelativeTime time={next_at} />}
      {failures === 0 ? null : (
        <span className={classes.faint}>
          {' '}
          · {failures === 1 ? '1 failure' : `${failures} failures in a row`}, so it waits longer
        </span>
      )}
    </>
  );
}
