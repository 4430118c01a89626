import type { EventSource } from '@airdeck/contracts/sources/schema';
import { IconClockExclamation, IconRepeat } from '@tabler/icons-react';
import { sourceKindWords } from '../../components/source-command.ts';
import { sourceStateLooks, sourceStateOf } from '../../components/source-connect/source-state.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { clockCounts, clockWords } from './clock-words.ts';
import { repeatedSentence, repeatedWords } from './repeat-words.ts';
import classes from './sources.module.css';

/** A wrong clock puts events where nobody looks for them. */
function Clock({ of }: { of: EventSource['clock_24h'] }) {
  const { locale } = useReader();
  if (of === null) return null;
  return (
    <span className={classes.mark} title={clockCounts(of)}>
      <IconClockExclamation size={14} aria-hidden /> {clockWords(of, locale)}
    </span>
  );
}

/** Acknowledged and not stored: whoever misses events must see it. */
function Repeated({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span className={classes.mark} title={repeatedSentence(count)}>
      <IconRepeat size={14} aria-hidden /> {repeatedWords(count)}
    </span>
  );
}

const column = columnsFor<EventSource>();

export const sourceColumns = [
  column.accessor('name', {
    header: t('Name'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.name}>
        {original.name}
        <Clock of={original.clock_24h} />
        <Repeated count={original.repeated_24h} />
      </span>
    ),
  }),
  column.display({
    id: 'state',
    header: t('State'),
    meta: { width: '128px' },
    cell: ({ row }) => <StatusBadge look={sourceStateLooks[sourceStateOf(row.original)]} />,
  }),
  column.accessor('kind', {
    header: t('Sends'),
    meta: { width: '148px' },
    cell: ({ getValue }) => sourceKindWords[getValue()].label,
  }),
  column.accessor('events_24h', {
    header: t('Events, 24 h'),
    meta: { width: '116px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  column.accessor('rejected_24h', {
    header: t('Refused, 24 h'),
    meta: { width: '120px', align: 'end' },
    cell: ({ getValue }) => (
      <span className={getValue() === 0 ? classes.faint : classes.warn}>
        <Count value={getValue()} />
      </span>
    ),
  }),
  column.accessor('last_event_at', {
    header: t('Last event'),
    meta: { width: '132px', align: 'end' },
    cell: ({ getValue }) => {
      const at = getValue();
      return at === null ? <span className={classes.faint}>{t('None yet')}</span> : <RelativeTime time={at} />;
    },
  }),
];
