import { t } from '../../language/translate.ts';
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
    header: t('Priority'),
    meta: { width: '104px', phone: 'badge' },
    cell: ({ getValue }) => <PriorityBadge priority={getValue()} />,
  }),
  column.accessor('title', {
    header: t('Definition'),
    meta: { width: '26%', phone: 'title' },
    cell: ({ row: { original } }) => (
      <span className={classes.alert}>
        <span className={classes.title}>{original.title}</span>
        {original.description === '' ? null : <span className={classes.message}>{original.description}</span>}
      </span>
    ),
  }),
  column.accessor('query', {
    header: t('Search'),
    cell: ({ getValue }) => <Query text={getValue()} />,
  }),
  column.display({
    id: 'schedule',
    header: t('Evaluated'),
    meta: { width: '184px' },
    cell: ({ row: { original } }) => <Schedule of={original} />,
  }),
  column.accessor('notifications', {
    header: t('Notifies'),
    meta: { width: '16%' },
    cell: ({ getValue }) => <Notifies of={getValue()} />,
  }),
  column.accessor('matched_at', {
    header: t('Last match'),
    meta: { width: '116px' },
    cell: ({ getValue }) => <Matched at={getValue()} />,
  }),
  column.accessor('enabled', {
    header: t('Enabled##definition'),
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
  if (of.length === 0) return <span className={classes.faint}>{t('Nobody')}</span>;
  const names = of.map(({ title }) => title ?? t('Unknown##notification')).join(', ');
  return (
    <span className={classes.message} title={names}>
      {names}
    </span>
  );
}

function Matched({ at }: { at: string | null }) {
  return at === null ? <span className={classes.faint}>{t('Never')}</span> : <RelativeTime time={at} />;
}
