import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { Person } from '../../../components/person.tsx';
import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { useReader } from '../../../ui/reader.ts';
import { VersionBadge } from '../definition/version-badge.tsx';
import { LastRuns } from '../figures/last-runs.tsx';
import { successText } from '../figures/success-rate.ts';
import classes from './list.module.css';
import { triggerWords } from './playbook-rows.ts';

const column = columnsFor<Playbook>();

export const playbookColumns = [
  column.accessor('metadata.name', {
    id: 'name',
    header: t('Playbook'),
    enableSorting: true,
    meta: { phone: 'title' },
    cell: ({ row }) => <Name playbook={row.original} />,
  }),
  column.accessor('figures.last_runs', {
    id: 'last_runs',
    header: t('Last runs'),
    meta: { width: '150px' },
    cell: ({ getValue }) => <LastRuns runs={getValue()} />,
  }),
  column.accessor('figures.success_rate', {
    id: 'success_rate',
    header: t('Success'),
    enableSorting: true,
    meta: { width: '76px', align: 'end' },
    cell: ({ getValue }) => <Rate rate={getValue()} />,
  }),
  column.accessor('figures.median_duration_s', {
    id: 'median_duration_s',
    header: t('Median'),
    enableSorting: true,
    meta: { width: '76px', align: 'end' },
    cell: ({ getValue }) => <Median seconds={getValue()} />,
  }),
  column.accessor('figures.runs_30d', {
    id: 'runs_30d',
    header: t('Runs, 30 days'),
    enableSorting: true,
    meta: { width: '104px', align: 'end' },
    cell: ({ getValue }) => <Count value={getValue()} />,
  }),
  column.accessor('triggers', {
    header: t('Starts by'),
    meta: { width: '112px' },
    cell: ({ getValue }) => <Triggers triggers={getValue()} />,
  }),
  column.accessor('metadata.author', {
    id: 'author',
    header: t('Author'),
    meta: { width: '100px', phone: 'hidden' },
    cell: ({ getValue }) => (getValue() === '' ? <Nothing /> : <Person username={getValue()} />),
  }),
  column.accessor('version', {
    header: t('Version'),
    meta: { width: '96px', phone: 'badge' },
    cell: ({ row }) => <VersionBadge playbook={row.original} />,
  }),
];

function Name({ playbook }: { playbook: Playbook }) {
  const { name, description } = playbook.metadata;
  return (
    <span className={classes.name}>
      <span className={classes.title}>{name}</span>
      {description === '' ? null : (
        <span className={classes.description} title={description}>
          {description}
        </span>
      )}
    </span>
  );
}

function Rate({ rate }: { rate: number | null }) {
  const { locale } = useReader();
  return rate === null ? <Nothing /> : successText(rate, locale);
}

function Median({ seconds }: { seconds: number | null }) {
  const { locale } = useReader();
  return seconds === null ? <Nothing /> : formatDuration(seconds, locale);
}

function Triggers({ triggers }: { triggers: Playbook['triggers'] }) {
  const words = triggers.map((trigger) => triggerWords[trigger]);
  return words.length === 0 ? <Nothing /> : <span className={classes.triggers}>{words.join(', ')}</span>;
}

function Nothing() {
  return (
    <span className={classes.nothing} data-empty>
      –
    </span>
  );
}
