import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { actionEnd } from './action-times.ts';
import { ActionTitle } from './action-title.tsx';
import classes from './activity.module.css';
import { Duration } from './duration.tsx';
import { actionTypeWords } from './trigger-words.ts';

const column = columnsFor<ActionActivity>();

export const actionColumns = [
  column.accessor('summary.status', {
    id: 'status',
    header: 'Status',
    meta: { width: '116px' },
    cell: ({ getValue }) => <RunStatusBadge status={getValue()} variant="plain" />,
  }),
  column.accessor('summary.action_name', {
    id: 'action',
    header: 'Action',
    meta: { phone: 'title' },
    cell: ({ row }) => <ActionTitle activity={row.original} />,
  }),
  column.accessor('summary.type', {
    id: 'type',
    header: 'Type',
    meta: { width: '120px' },
    cell: ({ getValue }) => actionTypeWords[getValue()],
  }),
  column.accessor('summary.time_created', {
    id: 'started',
    header: 'Started',
    meta: { width: '160px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
  column.accessor('summary.time_updated', {
    id: 'duration',
    header: 'Duration',
    meta: { width: '96px', align: 'end' },
    cell: ({ row }) => <Duration start={row.original.summary.time_created} end={actionEnd(row.original)} />,
  }),
  column.accessor('details.context.attempt_count', {
    id: 'attempts',
    header: 'Attempts',
    meta: { width: '88px', align: 'end' },
    cell: ({ getValue }) => <span className={getValue() > 1 ? undefined : classes.faint}>{getValue()}</span>,
  }),
];
