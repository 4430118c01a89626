import type { ObjectiveState, ProcessReport, WorkQueue } from '@airdeck/contracts/operations/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { bytesText } from '../../../components/widgets/figure-text.ts';
import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { numberFormat, useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { StateBadge } from '../state-badge.tsx';
import classes from './operations.module.css';
import { objectiveWords, roleWords, standingOf } from './operations-words.ts';

const objective = columnsFor<ObjectiveState>();

export const objectiveColumns = [
  objective.accessor('id', {
    header: t('Promise'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.named}>
        {objectiveWords[original.id]}
        <StateBadge {...badgeOf(original)} />
      </span>
    ),
  }),
  objective.accessor('target', {
    header: t('Promised'),
    meta: { width: '96px', align: 'end' },
    cell: ({ getValue }) => <Share value={getValue()} />,
  }),
  objective.display({
    id: 'kept',
    header: t('Kept, 30 days'),
    meta: { width: '120px', align: 'end' },
    cell: ({ row: { original } }) =>
      original.good + original.bad === 0 ? '–' : <Share value={original.good / (original.good + original.bad)} />,
  }),
  objective.accessor('bad', {
    header: t('Missed##times'),
    meta: { width: '88px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  objective.accessor('budget_used', {
    header: t('Room used'),
    meta: { width: '104px', align: 'end' },
    cell: ({ getValue }) => <Share value={getValue()} digits={0} />,
  }),
];

function badgeOf(state: ObjectiveState) {
  const { word, tone } = standingOf(state);
  return tone === undefined ? { word } : { word, tone };
}

/** A share in percent; near a hundred the digits behind the point are what counts. */
function Share({ value, digits = 3 }: { value: number; digits?: number }) {
  const format = numberFormat(useReader(), { style: 'percent', maximumFractionDigits: digits });
  return <span className="air-nums">{format.format(value)}</span>;
}

const process = columnsFor<ProcessReport>();

export const processColumns = [
  process.accessor('role', {
    header: t('Process'),
    meta: { phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.named}>
        {roleWords[original.role]}
        {original.is_silent ? <StateBadge word={t('Silent')} tone="warn" /> : null}
        <span className={`air-mono ${classes.host}`}>{original.host}</span>
      </span>
    ),
  }),
  process.accessor('release', {
    header: t('Release'),
    meta: { width: '96px' },
    cell: ({ getValue }) => <span className="air-mono">{getValue()}</span>,
  }),
  process.accessor('memory_bytes', {
    header: t('Memory'),
    meta: { width: '96px', align: 'end' },
    cell: ({ getValue }) => <Bytes value={getValue()} />,
  }),
  process.accessor('cpu_percent', {
    header: t('Processor'),
    meta: { width: '96px', align: 'end' },
    cell: ({ getValue }) => <Share value={getValue() / 100} digits={0} />,
  }),
  process.accessor('loop_delay_ms', {
    header: t('Delay'),
    meta: { width: '84px', align: 'end' },
    cell: ({ getValue }) => <Milliseconds value={getValue()} />,
  }),
  process.display({
    id: 'waiting',
    header: t('Events in hand'),
    meta: { width: '128px', align: 'end' },
    cell: ({ row: { original } }) => <Bytes value={original.held_bytes + original.spool_bytes} />,
  }),
  process.accessor('lines_lost', {
    header: t('Lines lost'),
    meta: { width: '104px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  process.accessor('seen_at', {
    header: t('Heard##process'),
    meta: { width: '112px', align: 'end' },
    cell: ({ getValue }) => <RelativeTime time={getValue()} />,
  }),
];

function Milliseconds({ value }: { value: number }) {
  return (
    <span className="air-nums">
      {t('{value} ms', { value: numberFormat(useReader(), { maximumFractionDigits: 0 }).format(value) })}
    </span>
  );
}

export function Bytes({ value: bytes }: { value: number }) {
  const { value, unit } = bytesText(bytes, useReader());
  return <span className="air-nums">{`${value} ${unit}`}</span>;
}

const queue = columnsFor<WorkQueue>();

export const queueColumns = [
  queue.accessor('kind', {
    header: t('Work'),
    meta: { phone: 'title' },
    cell: ({ getValue }) => <span className="air-mono">{getValue()}</span>,
  }),
  queue.accessor('ready', {
    header: t('Waiting##queue'),
    meta: { width: '88px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  queue.accessor('oldest_seconds', {
    header: t('Oldest'),
    meta: { width: '104px', align: 'end' },
    cell: ({ getValue }) => <Age seconds={getValue()} />,
  }),
  queue.accessor('working', {
    header: t('At work'),
    meta: { width: '88px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  queue.accessor('scheduled', {
    header: t('Later'),
    meta: { width: '88px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  queue.accessor('held', {
    header: t('Held'),
    meta: { width: '88px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  queue.accessor('dead', {
    header: t('Given up'),
    meta: { width: '104px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
];

export function Age({ seconds }: { seconds: number | null }) {
  const { locale } = useReader();
  return <span className="air-nums">{seconds === null ? '–' : formatDuration(seconds, locale)}</span>;
}
