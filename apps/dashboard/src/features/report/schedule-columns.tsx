import type { ReportSchedule } from '@airdeck/contracts/reports/schema';
import { Link } from '@tanstack/react-router';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './report.module.css';
import { formatWords } from './report-formats.ts';
import { coversWords, whenWords, zoneWords } from './schedule-words.ts';

const column = columnsFor<ReportSchedule>();

export const scheduleColumns = [
  column.accessor('name', {
    header: t('Schedule##noun'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.name}>
        <span className={classes.title}>{original.name}</span>
        {original.search.query === '' ? null : (
          <span className={`air-mono ${classes.query}`} title={original.search.query.slice(0, 2_000)}>
            {original.search.query.slice(0, 300)}
          </span>
        )}
      </span>
    ),
  }),
  column.accessor('period', {
    header: t('When'),
    meta: { width: '210px' },
    cell: ({ row: { original } }) => (
      <span className={classes.state}>
        {whenWords(original)}
        <span className={classes.stateWords}>
          {original.covers_days === null ? '' : `${coversWords(original)}, `}
          {zoneWords(original.time_zone)}
        </span>
      </span>
    ),
  }),
  column.accessor('format', {
    header: t('Format'),
    meta: { width: '84px' },
    cell: ({ getValue }) => formatWords[getValue()].label,
  }),
  column.accessor('recipients', {
    header: t('Told'),
    meta: { width: '180px' },
    cell: ({ getValue }) => <Told names={getValue().map(({ name }) => name)} />,
  }),
  column.accessor('last_run', {
    header: t('Last report'),
    meta: { width: '150px' },
    cell: ({ getValue }) => <LastRun run={getValue()} />,
  }),
  column.accessor('next_run_at', {
    header: t('Next##report'),
    meta: { width: '130px', align: 'end' },
    cell: ({ getValue }) => <Next at={getValue()} />,
  }),
];

function Told({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className={classes.nothing}>{t('Nobody')}</span>;
  const shown =
    names.length <= 2
      ? names.join(', ')
      : t('{name} and {count} more', { name: names[0] ?? '', count: names.length - 1 });
  return <span title={names.join(', ')}>{shown}</span>;
}

function LastRun({ run }: { run: ReportSchedule['last_run'] }) {
  if (run === null) return <span className={classes.nothing}>{t('None yet')}</span>;
  return (
    <Link to="/report/air" search={{ report: run.report_id }} className={classes.run}>
      <RunStatusBadge status={run.status} variant="plain" />
      <RelativeTime time={run.at} />
    </Link>
  );
}

function Next({ at }: { at: string | null }) {
  return at === null ? (
    <span className={classes.nothing}>{t('Switched off##schedule')}</span>
  ) : (
    <RelativeTime time={at} />
  );
}
