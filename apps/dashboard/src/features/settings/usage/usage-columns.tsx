import type { Usage } from '@airdeck/contracts/telemetry/schema';
import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './usage.module.css';

const route = columnsFor<Usage['routes'][number]>();

export const routeColumns = [
  route.accessor('route', {
    header: t('Screen'),
    meta: { phone: 'title' },
    cell: ({ getValue }) => <span className="air-mono">{getValue()}</span>,
  }),
  route.accessor('views', {
    header: t('Opened'),
    meta: { width: '110px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
];

const error = columnsFor<Usage['errors'][number]>();

export const errorColumns = [
  error.accessor('message', {
    header: t('What failed'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => (
      <>
        <span className={classes.message}>{original.message}</span>
        {original.call === null ? null : (
          <span className={`air-mono ${classes.call}`}>
            {original.call}
            {original.status === null ? '' : ` → ${original.status}`}
          </span>
        )}
      </>
    ),
  }),
  error.accessor('route', {
    header: t('On##screen'),
    meta: { width: '220px' },
    cell: ({ getValue }) => <span className={`air-mono ${classes.call}`}>{getValue()}</span>,
  }),
  error.accessor('count', {
    header: t('Times'),
    meta: { width: '80px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  error.accessor('last_at', {
    header: t('Last'),
    meta: { width: '124px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
];
