import type { ExecutiveReport } from '@airdeck/contracts/reports/executive-report';
import { Person } from '../../../components/person.tsx';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { t, told } from '../../../language/translate.ts';
import { fileSize } from '../../../lib/file-download.ts';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from '../report.module.css';
import { ExecutiveTools } from './executive-tools.tsx';

const column = columnsFor<ExecutiveReport>();

export const executiveColumns = [
  column.accessor('name', {
    header: t('Report'),
    meta: { phone: 'title' },
    cell: ({ getValue }) => <span className={classes.title}>{getValue()}</span>,
  }),
  column.accessor('status', {
    header: t('State'),
    meta: { width: '190px', phone: 'badge' },
    cell: ({ row: { original } }) => (
      <span className={classes.state}>
        <RunStatusBadge status={original.status} variant="plain" />
        {original.failure === null ? null : <FailureWords failure={original.failure} />}
      </span>
    ),
  }),
  column.accessor('pages', {
    header: t('Pages'),
    meta: { width: '80px', align: 'end' },
    cell: ({ getValue }) => (getValue() === 0 ? <Nothing /> : getValue()),
  }),
  column.accessor('size_bytes', {
    header: t('Size'),
    meta: { width: '90px', align: 'end' },
    cell: ({ getValue }) => (getValue() === 0 ? <Nothing /> : fileSize(getValue())),
  }),
  column.accessor('created_by', {
    header: t('Made by'),
    meta: { width: '160px' },
    cell: ({ row: { original } }) =>
      original.kind === 'monthly' ? t('Each month') : <Person username={original.created_by} />,
  }),
  column.accessor('created_at', {
    header: t('Begun'),
    meta: { width: '124px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
  column.display({
    id: 'tools',
    header: t('File'),
    meta: { width: '128px', align: 'end' },
    cell: ({ row: { original } }) => <ExecutiveTools report={original} />,
  }),
];

function Nothing() {
  return (
    <span className={classes.nothing} data-empty aria-hidden>
      –
    </span>
  );
}

function FailureWords({ failure }: { failure: string }) {
  const words = told({ message: failure });
  return (
    <span className={classes.stateWords} title={words}>
      {words}
    </span>
  );
}
