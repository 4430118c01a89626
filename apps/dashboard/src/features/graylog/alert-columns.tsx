import { t } from '../../language/translate.ts';
import type { GraylogAlert } from '../../queries/graylog-answers.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { titleOf } from './alert-rows.ts';
import classes from './graylog.module.css';
import { PriorityBadge } from './priority-badge.tsx';

const column = columnsFor<GraylogAlert>();

const priority = column.accessor('priority', {
  header: t('Priority'),
  meta: { width: '104px', phone: 'badge' },
  cell: ({ getValue }) => <PriorityBadge priority={getValue()} />,
});

const time = column.accessor('timestamp', {
  header: t('Raised##alert'),
  meta: { width: '132px', align: 'end' },
  cell: ({ getValue }) => <Time at={getValue()} />,
});

const source = column.accessor('source', {
  header: t('Source##alert'),
  meta: { width: '16%' },
  cell: ({ getValue }) => <Plain text={getValue()} />,
});

export const alertColumns = [
  priority,
  column.display({
    id: 'alert',
    header: t('Alert'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.alert}>
        <span className={classes.title}>{titleOf(original)}</span>
        {original.message === null || original.message === titleOf(original) ? null : (
          <span className={classes.message}>{original.message}</span>
        )}
      </span>
    ),
  }),
  column.accessor('key', {
    header: t('Key'),
    meta: { width: '14%' },
    cell: ({ getValue }) => <Plain text={getValue()} />,
  }),
  source,
  time,
];

/** Where there is less room. */
export const shortAlertColumns = [
  priority,
  column.display({
    id: 'alert',
    header: t('Alert'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => <span className={classes.title}>{titleOf(original)}</span>,
  }),
  column.accessor('key', {
    header: t('Key'),
    meta: { width: '22%', phone: 'hidden' },
    cell: ({ getValue }) => <Plain text={getValue()} />,
  }),
  time,
];

function Plain({ text }: { text: string | null }) {
  return text === null ? <span data-empty>–</span> : <span className={classes.plain}>{text}</span>;
}

function Time({ at }: { at: string | null }) {
  return at === null ? <span data-empty>–</span> : <RelativeTime time={at} />;
}
