import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { Person } from '../../components/person.tsx';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { fileSize } from '../../lib/file-download.ts';
import { Count } from '../../ui/count.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { DownloadButton } from './download-button.tsx';
import classes from './report.module.css';
import { formatWords } from './report-formats.ts';
import { ReportState } from './report-state.tsx';

const column = columnsFor<SearchReport>();

export const reportColumns = [
  column.accessor('name', {
    header: t('Report'),
    meta: { phone: 'title' },
    cell: ({ row }) => <Name of={row.original} />,
  }),
  column.accessor('status', {
    header: t('State'),
    meta: { width: '190px', phone: 'badge' },
    cell: ({ row }) => <ReportState of={row.original} />,
  }),
  column.accessor('row_count', {
    header: t('Events'),
    meta: { width: '96px', align: 'end' },
    cell: ({ row: { original } }) => (hasFile(original) ? <Count value={original.row_count} /> : <Nothing />),
  }),
  column.accessor('size_bytes', {
    header: t('Size'),
    meta: { width: '84px', align: 'end' },
    cell: ({ row: { original } }) => (hasFile(original) ? fileSize(original.size_bytes) : <Nothing />),
  }),
  column.accessor('format', {
    header: t('Format'),
    meta: { width: '84px' },
    cell: ({ getValue }) => formatWords[getValue()].label,
  }),
  column.accessor('created_by', {
    header: t('Made by'),
    meta: { width: '150px' },
    cell: ({ row: { original } }) => (
      <span className={classes.by}>
        {original.schedule_id === null ? (
          <Person username={original.created_by} />
        ) : (
          tx('Schedule of {person}', { person: <Person username={original.created_by} /> })
        )}
      </span>
    ),
  }),
  column.accessor('created_at', {
    header: t('Begun'),
    meta: { width: '120px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
  column.display({
    id: 'download',
    header: t('File'),
    meta: { width: '56px', align: 'end', phone: 'hidden' },
    cell: ({ row: { original } }) => (hasFile(original) ? <DownloadButton report={original} compact /> : <Nothing />),
  }),
];

export function hasFile({ status }: Pick<SearchReport, 'status'>): boolean {
  return status === 'success';
}

function Name({ of: { name, query } }: { of: SearchReport }) {
  return (
    <span className={classes.name}>
      <span className={classes.title}>{name}</span>
      {query === '' || query === name ? null : (
        <span className={`air-mono ${classes.query}`} title={query.slice(0, 2_000)}>
          {query.slice(0, 300)}
        </span>
      )}
    </span>
  );
}

function Nothing() {
  return (
    <span className={classes.nothing} data-empty aria-hidden>
      –
    </span>
  );
}
