import type { EventSource } from '@airdeck/contracts/sources/schema';
import { sourceKindWords } from '../../components/source-command.ts';
import { sourceStateLooks, sourceStateOf } from '../../components/source-connect/source-state.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Count } from '../../ui/count.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './sources.module.css';

const column = columnsFor<EventSource>();

export const sourceColumns = [
  column.accessor('name', {
    header: 'Name',
    meta: { phone: 'title' },
    cell: ({ getValue }) => <span className={classes.name}>{getValue()}</span>,
  }),
  column.display({
    id: 'state',
    header: 'State',
    meta: { width: '128px' },
    cell: ({ row }) => <StatusBadge look={sourceStateLooks[sourceStateOf(row.original)]} />,
  }),
  column.accessor('kind', {
    header: 'Sends',
    meta: { width: '148px' },
    cell: ({ getValue }) => sourceKindWords[getValue()].label,
  }),
  column.accessor('events_24h', {
    header: 'Events, 24 h',
    meta: { width: '116px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  column.accessor('rejected_24h', {
    header: 'Refused, 24 h',
    meta: { width: '120px', align: 'end' },
    cell: ({ getValue }) => (
      <span className={getValue() === 0 ? classes.faint : classes.warn}>
        <Count value={getValue()} />
      </span>
    ),
  }),
  column.accessor('last_event_at', {
    header: 'Last event',
    meta: { width: '132px', align: 'end' },
    cell: ({ getValue }) => {
      const at = getValue();
      return at === null ? <span className={classes.faint}>None yet</span> : <RelativeTime time={at} />;
    },
  }),
];
