import type { EventDefinition } from '../../queries/graylog-answers.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { DefinitionSwitch } from './definition-switch.tsx';
import { scheduleWords } from './definition-words.ts';
import classes from './graylog.module.css';
import { PriorityBadge } from './priority-badge.tsx';

const column = columnsFor<EventDefinition>();

export const definitionColumns = [
  column.accessor('priority', {
    header: 'Priority',
    meta: { width: '104px', phone: 'badge' },
    cell: ({ getValue }) => <PriorityBadge priority={getValue()} />,
  }),
  column.accessor('title', {
    header: 'Definition',
    meta: { width: '26%', phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.alert}>
        <span className={classes.title}>{original.title}</span>
        {original.description === '' ? null : <span className={classes.message}>{original.description}</span>}
      </span>
    ),
  }),
  column.accessor('query', {
    header: 'Search',
    cell: ({ getValue }) => <Query text={getValue()} />,
  }),
  column.display({
    id: 'schedule',
    header: 'Evaluated',
    meta: { width: '184px' },
    cell: ({ row: { original } }) => <Schedule of={original} />,
  }),
  column.accessor('notifications', {
    header: 'Notifies',
    meta: { width: '16%' },
    cell: ({ getValue }) => <Notifies of={getValue()} />,
  }),
  column.accessor('matched_at', {
    header: 'Last match',
    meta: { width: '116px' },
    cell: ({ getValue }) => <Matched at={getValue()} />,
  }),
  column.accessor('enabled', {
    header: 'Enabled',
    meta: { width: '84px' },
    cell: ({ row: { original } }) => <DefinitionSwitch definition={original} />,
  }),
];

function Query({ text }: { text: string | null }) {
  return text === null ? (
    <span data-empty>–</span>
  ) : (
    <span className={`air-mono ${classes.query}`} title={text}>
      {text}
    </span>
  );
}

function Schedule({ of }: { of: EventDefinition }) {
  const words = scheduleWords(of, useReader().locale);
  return words === null ? <span data-empty>–</span> : <span className={classes.plain}>{words}</span>;
}

function Notifies({ of }: { of: EventDefinition['notifications'] }) {
  if (of.length === 0) return <span className={classes.faint}>Nobody</span>;
  const names = of.map(({ title }) => title ?? 'Unknown').join(', ');
  return (
    <span className={classes.message} title={names}>
      {names}
    </span>
  );
}

function Matched({ at }: { at: string | null }) {
  return at === null ? <span className={classes.faint}>Never</span> : <RelativeTime time={at} />;
}
