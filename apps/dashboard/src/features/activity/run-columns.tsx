import type { PlaybookRunSummary } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import { Person } from '../../components/person.tsx';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ActionStrip } from './action-strip.tsx';
import classes from './activity.module.css';
import { Duration } from './duration.tsx';
import { triggerWords } from './trigger-words.ts';

const column = columnsFor<PlaybookRunSummary>();

export const runColumns = [
  column.accessor('status', {
    header: 'Status',
    meta: { width: '116px', phone: 'badge' },
    cell: ({ getValue }) => (
      <span className={classes.state}>
        <RunStatusBadge status={getValue()} variant="plain" />
      </span>
    ),
  }),
  column.accessor('workflow_name', {
    header: 'Playbook',
    meta: { phone: 'title' },
    cell: ({ row }) => <RunName run={row.original} />,
  }),
  column.accessor('actions_summary', {
    header: 'Actions so far',
    meta: { width: '176px' },
    cell: ({ getValue }) => <ActionStrip actions={getValue()} />,
  }),
  column.accessor('trigger_info', {
    header: 'Started by',
    meta: { width: '190px' },
    cell: ({ getValue }) => (
      <span className={classes.trigger}>
        <Person username={getValue().username} />
        <span className={classes.faint}>{triggerWords(getValue()).toLowerCase()}</span>
      </span>
    ),
  }),
  column.accessor('time_created', {
    header: 'Started',
    meta: { width: '132px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
  column.accessor('time_finished', {
    header: 'Duration',
    meta: { width: '96px', align: 'end' },
    cell: ({ row }) => <Duration start={row.original.time_created} end={row.original.time_finished} />,
  }),
];

function RunName({ run }: { run: PlaybookRunSummary }) {
  return (
    <span className={classes.name}>
      <Link
        to="/activity/playbooks/$id"
        params={{ id: run.workflow_uuid }}
        className={`${classes.nameText} ${classes.runLink}`}
      >
        {run.workflow_name}
      </Link>
      {run.error_info === null ? null : (
        <span className={classes.nameNote} title={run.error_info.message}>
          {run.error_info.message}
        </span>
      )}
    </span>
  );
}
