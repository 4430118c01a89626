import type { Usage } from '@airdeck/contracts/telemetry/schema';
import { Count } from '../../../ui/count.tsx';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './usage.module.css';

const route = columnsFor<Usage['routes'][number]>();

export const routeColumns = [
  route.accessor('route', {
    header: 'Screen',
    meta: { phone: 'title' },
    cell: ({ getValue }) => <span className="air-mono">{getValue()}</span>,
  }),
  route.accessor('views', {
    header: 'Opened',
    meta: { width: '110px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
];

const error = columnsFor<Usage['errors'][number]>();

export const errorColumns = [
  error.accessor('message', {
    header: 'What failed',
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
    header: 'On',
    meta: { width: '220px' },
    cell: ({ getValue }) => <span className={`air-mono ${classes.call}`}>{getValue()}</span>,
  }),
  error.accessor('count', {
    header: 'Times',
    meta: { width: '80px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  error.accessor('last_at', {
    header: 'Last',
    meta: { width: '124px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
];
