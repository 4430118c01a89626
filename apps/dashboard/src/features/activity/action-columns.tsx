import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import runs from '../../components/run-list/run-list.module.css';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { actionTypeWords } from '../../components/trigger-words.ts';
import { t } from '../../language/translate.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { ActionBegin } from './action-begin.tsx';
import { ActionDuration } from './action-duration.tsx';
import { ActionTitle } from './action-title.tsx';
import classes from './activity.module.css';

const column = columnsFor<ActionActivity>();

export const actionColumns = [
  column.accessor('summary.status', {
    id: 'status',
    header: t('Status'),
    meta: { width: '116px', phone: 'badge' },
    cell: ({ getValue }) => (
      <span className={runs.state}>
        <RunStatusBadge status={getValue()} variant="plain" />
      </span>
    ),
  }),
  column.accessor('summary.action_name', {
    id: 'action',
    header: t('Action'),
    meta: { phone: 'title' },
    cell: ({ row }) => <ActionTitle activity={row.original} />,
  }),
  column.accessor('summary.type', {
    id: 'type',
    header: t('Type'),
    meta: { width: '120px' },
    cell: ({ getValue }) => actionTypeWords[getValue()],
  }),
  column.accessor('summary.time_created', {
    id: 'started',
    header: t('Started'),
    meta: { width: '160px', align: 'end' },
    cell: ({ row }) => <ActionBegin activity={row.original} />,
  }),
  column.accessor('summary.time_updated', {
    id: 'duration',
    header: t('Duration'),
    meta: { width: '96px', align: 'end' },
    cell: ({ row }) => <ActionDuration activity={row.original} />,
  }),
  column.accessor('details.context.attempt_count', {
    id: 'attempts',
    header: t('Attempts'),
    meta: { width: '88px', align: 'end' },
    cell: ({ getValue }) => (
      <span className={getValue() > 1 ? undefined : classes.faint} data-empty={getValue() > 1 ? undefined : true}>
        {getValue() === 0 ? '–' : getValue()}
      </span>
    ),
  }),
];
