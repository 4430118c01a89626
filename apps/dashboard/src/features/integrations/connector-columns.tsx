import { StatusBadge } from '../../components/status-badge.tsx';
import { connectionTestLooks, connectorStateLooks } from '../../components/status-table.ts';
import { t } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import type { ConnectorRow } from './connector-rows.ts';
import classes from './integrations.module.css';
import { lastTestText } from './last-test-text.ts';

const column = columnsFor<ConnectorRow>();

export const connectorColumns = [
  column.accessor('name', {
    header: t('Integration'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.name}>
        <span className={classes.strong}>{original.name}</span>
        <span className={classes.under}>
          {original.integrationName}
          {original.default ? t(' · default') : ''}
        </span>
      </span>
    ),
  }),
  column.accessor('state', {
    header: t('State'),
    meta: { width: '108px', phone: 'badge' },
    cell: ({ getValue }) => <StatusBadge look={connectorStateLooks[getValue()]} />,
  }),
  column.accessor('last_successful_connection', {
    header: t('Last successful connection'),
    meta: { width: '188px' },
    cell: ({ getValue }) => <TimeOr time={getValue()} none={t('Never')} />,
  }),
  column.accessor('events_24h', {
    header: t('Events in 24 h'),
    meta: { width: '112px', align: 'end' },
    cell: ({ row: { original } }) => <EventCount of={original} />,
  }),
  column.accessor('test_connection_status', {
    header: t('Last test'),
    meta: { width: '300px' },
    cell: ({ row: { original } }) => <LastTest of={original} />,
  }),
];

function TimeOr({ time, none }: { time: string | null; none: string }) {
  return time === null ? <span className={classes.faint}>{none}</span> : <RelativeTime time={time} />;
}

/** A dash where none are fetched: nought would look like a fault. */
function EventCount({ of: { events_24h: count, fetchesEvents } }: { of: ConnectorRow }) {
  if (count > 0 || fetchesEvents) return <Count value={count} />;
  return (
    <span className={classes.faint} data-empty title={t('Events are not fetched')}>
      –
    </span>
  );
}

function LastTest({ of: row }: { of: ConnectorRow }) {
  const { test_connection_status: status, test_connection_time: time } = row;
  const message = lastTestText(row);
  if (status === null) return <span className={classes.faint}>{t('Not tested yet')}</span>;
  return (
    <span className={classes.test}>
      <span className={classes.testHead}>
        <StatusBadge look={connectionTestLooks[status]} variant="plain" />
        {time === null ? null : <RelativeTime time={time} className={classes.faint ?? ''} />}
      </span>
      {message === '' ? null : (
        <span className={classes.message} title={message}>
          {message}
        </span>
      )}
    </span>
  );
}
