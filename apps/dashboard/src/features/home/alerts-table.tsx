import type { Dashboard, TriggeredAlert } from '@airdeck/contracts/dashboards/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { SeverityBadge } from '../../components/status-badge.tsx';
import classes from '../../components/widgets/list-widget.module.css';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { askedWindow, type DashboardSpan } from '../../queries/dashboards.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useIsPhone } from '../../ui/use-is-phone.ts';

type Props = {
  figures: Dashboard;
  span: DashboardSpan;
  /** Milliseconds since the epoch; undefined while the figures are those of an earlier span. */
  updatedAt: number | undefined;
};
type Row = TriggeredAlert & { fresh: boolean };

const severityByPriority = { 1: 'high', 2: 'medium', 3: 'low' } as const;

const column = columnsFor<Row>();

/** The rows stack there, and all of them would push the other widgets off the page. */
const PHONE_ROWS = 5;

const columns = [
  column.accessor('priority', {
    header: t('Priority'),
    meta: { width: '104px', phone: 'badge' },
    cell: ({ getValue }) => <SeverityBadge severity={severityByPriority[getValue()]} variant="plain" />,
  }),
  column.accessor('title', {
    header: t('Alert'),
    meta: { phone: 'title' },
    cell: ({ row }) => <AlertTitle alert={row.original} />,
  }),
  column.accessor('source', {
    header: t('Source'),
    meta: { width: '24%', phone: 'hidden' },
    cell: ({ getValue }) => (
      <span className={classes.source} title={getValue()}>
        {getValue() === '' ? '–' : getValue()}
      </span>
    ),
  }),
  column.accessor('timestamp', {
    header: t('Opened##time'),
    meta: { width: '124px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
];

/** Alerts of a period, newest first. */
export function AlertsTable({ figures, span, updatedAt }: Props) {
  const navigate = useNavigate();
  const { timeZone } = useReader();
  const within = updatedAt === undefined ? undefined : askedWindow({ span, timeZone }, updatedAt);
  const [since] = useState(() => Date.now());
  const { high, medium, low } = figures.alert_counts;
  const total = high + medium + low;
  const onPhone = useIsPhone();
  const shown = figures.triggered_alerts.slice(0, onPhone ? PHONE_ROWS : undefined);
  const rows = shown.map((alert) => ({ ...alert, fresh: Date.parse(alert.timestamp) > since }));
  return (
    <DataTable
      label={t('Newest alerts')}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      onOpen={({ case_id }) => {
        if (case_id !== undefined) void navigate({ to: '/air/case-management/$id', params: { id: case_id } });
      }}
      empty={null}
      footer={
        <>
          <span>
            {rows.length < total
              ? plural(total, 'Newest {shown} of {count} alert', 'Newest {shown} of {count} alerts', {
                  shown: rows.length,
                })
              : plural(total, '{count} alert', '{count} alerts')}
          </span>
          {within === undefined ? null : (
            <Link
              to="/air/case-management"
              search={{ startTime: within.start.toISOString(), endTime: within.end.toISOString() }}
            >
              {t('Show all cases')}
            </Link>
          )}
        </>
      }
    />
  );
}

function AlertTitle({ alert }: { alert: Row }) {
  const fresh = alert.fresh || undefined;
  if (alert.case_id === undefined) {
    return (
      <span className={classes.title} title={alert.title} data-fresh={fresh}>
        {alert.title}
      </span>
    );
  }
  return (
    <Link
      to="/air/case-management/$id"
      params={{ id: alert.case_id }}
      className={classes.title}
      title={alert.title}
      data-fresh={fresh}
    >
      {alert.title}
    </Link>
  );
}
