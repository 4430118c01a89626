import type { PlaybookRunSummary, TriggerInfo } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Duration } from '../duration.tsx';
import { Person } from '../person.tsx';
import { RunStatusBadge } from '../status-badge.tsx';
import { triggerWords } from '../trigger-words.ts';
import { ActionStrip } from './action-strip.tsx';
import { DryRunBadge } from './dry-run-badge.tsx';
import classes from './run-list.module.css';

const column = columnsFor<PlaybookRunSummary>();

const status = column.accessor('status', {
  header: t('Status'),
  meta: { width: '116px', phone: 'badge' },
  cell: ({ getValue }) => (
    <span className={classes.state}>
      <RunStatusBadge status={getValue()} variant="plain" />
    </span>
  ),
});
const rest = [
  column.accessor('actions_summary', {
    header: t('Actions so far'),
    meta: { width: '176px' },
    cell: ({ getValue }) => <ActionStrip actions={getValue()} />,
  }),
  column.accessor('trigger_info', {
    header: t('Started by'),
    meta: { width: '190px' },
    cell: ({ getValue }) => <StartedBy trigger={getValue()} />,
  }),
  column.accessor('time_created', {
    header: t('Started'),
    meta: { width: '132px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
  column.accessor('time_finished', {
    header: t('Duration'),
    meta: { width: '96px', align: 'end' },
    cell: ({ row }) => <Duration start={row.original.time_created} end={row.original.time_finished} />,
  }),
];

/** Runs of many playbooks, each by the name of its playbook. */
export const runColumns = [
  status,
  column.accessor('workflow_name', {
    header: t('Playbook'),
    meta: { phone: 'title' },
    cell: ({ row }) => <RunName run={row.original} />,
  }),
  ...rest,
];

/** Runs of one playbook, each by what came of it. */
export const ownRunColumns = [
  status,
  column.accessor('workflow_uuid', {
    header: t('Run##one'),
    meta: { phone: 'title' },
    cell: ({ row }) => (
      <RunName run={row.original} text={t('Run …{slice}', { slice: row.original.workflow_uuid.slice(-6) })} />
    ),
  }),
  ...rest,
];

/** Who or what, and the way to the case it answers; one that is gone has no name. */
function StartedBy({ trigger }: { trigger: TriggerInfo }) {
  const words = triggerWords(trigger).toLowerCase();
  const { case_reference: reference } = trigger;
  const toCase = (text: string) =>
    trigger.case_id === null ? null : (
      <Link to="/air/case-management/$id" params={{ id: trigger.case_id }}>
        {text}
      </Link>
    );
  const isByCase = trigger.trigger_type === 'event' && trigger.automation_rule === undefined;
  return (
    <span className={classes.trigger}>
      <Person username={trigger.username} />
      {(isByCase ? toCase(reference === undefined ? words : t('by {reference}', { reference })) : null) ?? (
        <span className={classes.faint}>{words}</span>
      )}
      {isByCase ? null : toCase(reference === undefined ? t('for a case') : t('for {reference}', { reference }))}
    </span>
  );
}

function RunName({ run, text = run.workflow_name }: { run: PlaybookRunSummary; text?: string }) {
  const note =
    run.error_info?.message ?? (run.on_hold === true ? t('On hold: automation is switched off.') : undefined);
  return (
    <span className={classes.name}>
      <Link
        to="/activity/playbooks/$id"
        params={{ id: run.workflow_uuid }}
        className={`${classes.nameText} ${classes.runLink}`}
      >
        {text}
      </Link>
      {run.dry_run === true ? <DryRunBadge /> : null}
      {note === undefined ? null : (
        <span className={classes.nameNote} title={note}>
          {note}
        </span>
      )}
    </span>
  );
}
