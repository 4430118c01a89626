import type { Case } from '@airdeck/contracts/cases/schema';
import type { RunStatus } from '@airdeck/contracts/statuses';
import { Link } from '@tanstack/react-router';
import { CaseStatusBadge, RunStatusBadge, SeverityBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './case-list.module.css';
import { SelectBox, SelectShownBox } from './case-selection.tsx';
import { GroupValues } from './group-values.tsx';
import { PersonOrNobody } from './person-or-nobody.tsx';
import { SlaClock } from './sla-clock.tsx';

const column = columnsFor<Case>();

/** For readers who may change no case. */
export const readOnlyCaseColumns = [
  column.accessor('alert_severity', {
    id: 'severity',
    header: t('Severity'),
    enableSorting: true,
    meta: { width: '72px', phone: 'badge' },
    cell: ({ getValue }) => (
      <span className={classes.badge}>
        <SeverityBadge severity={getValue()} variant="plain" />
      </span>
    ),
  }),
  column.accessor('alert_name', {
    header: t('Case'),
    meta: { phone: 'title' },
    cell: ({ row }) => <CaseName of={row.original} />,
  }),
  column.accessor('alert_status', {
    header: t('Status'),
    meta: { width: '104px', phone: 'badge' },
    cell: ({ getValue }) => (
      <span className={classes.badge}>
        <CaseStatusBadge status={getValue()} variant="plain" />
      </span>
    ),
  }),
  column.accessor('meta_data_fields', {
    header: t('Concerns'),
    meta: { yields: 2 },
    cell: ({ getValue }) => (
      <span className={classes.concerns}>
        <GroupValues values={getValue()} />
      </span>
    ),
  }),
  column.accessor('alert_responses', {
    header: t('Response'),
    meta: { width: '80px', yields: 1 },
    cell: ({ getValue }) => <ResponseState responses={getValue()} />,
  }),
  column.accessor('sla', {
    header: t('Due##case'),
    meta: { width: '112px' },
    cell: ({ row }) => <SlaClock of={row.original} />,
  }),
  column.accessor('assignee', {
    header: t('Assignee'),
    meta: { width: '96px', yields: 2 },
    cell: ({ getValue }) => (
      <span className={classes.person}>
        <PersonOrNobody username={getValue()} nobody="–" />
      </span>
    ),
  }),
  column.accessor('time_opened', {
    header: t('Opened##time'),
    enableSorting: true,
    meta: { width: '110px', align: 'end', yields: 3 },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
];

export const caseColumns = [
  column.display({
    id: 'select',
    header: () => <SelectShownBox />,
    meta: { width: '36px', phone: 'badge', tool: true },
    cell: ({ row }) => <SelectBox id={row.original.id} name={row.original.reference} />,
  }),
  ...readOnlyCaseColumns,
];

function CaseName({ of }: { of: Case }) {
  return (
    <span className={classes.case}>
      <Link
        to="/air/case-management/$id"
        params={{ id: of.id }}
        className={classes.reference}
        aria-label={t('{reference}: open full page', { reference: of.reference })}
      >
        {of.reference}
      </Link>
      <span className={classes.name} title={of.alert_name}>
        {of.alert_name}
      </span>
    </span>
  );
}

/** What needs somebody first, then what went wrong, then what goes on. */
const urgency: readonly RunStatus[] = ['waiting', 'error', 'running', 'pending', 'cancelled', 'success'];

function ResponseState({ responses }: { responses: Case['alert_responses'] }) {
  const first = urgency.find((status) => responses.some((response) => response.status === status));
  if (first === undefined)
    return (
      <span className={classes.faint} data-empty>
        –
      </span>
    );
  return (
    <span className={classes.responses}>
      <RunStatusBadge status={first} variant="plain" />
      {responses.length > 1 ? (
        <span className={classes.faint}>{t('of {count}', { count: responses.length })}</span>
      ) : null}
    </span>
  );
}
