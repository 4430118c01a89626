import type { Policy } from '@airdeck/contracts/policies/schema';
import { Link } from '@tanstack/react-router';
import { Person } from '../../../components/person.tsx';
import { SeverityBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { columnsFor } from '../../../ui/data-table-columns.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { inOneLine } from '../criteria/criterion-words.ts';
import { EnabledSwitch } from './enabled-switch.tsx';
import classes from './list.module.css';
import { MatchesSparkline } from './matches-sparkline.tsx';
import { originWords, sourcesInShort } from './policy-words.ts';

const column = columnsFor<Policy>();

export const policyColumns = [
  column.accessor('enabled', {
    header: t('On##policy'),
    meta: { width: '56px', phone: 'badge' },
    cell: ({ row }) => <EnabledSwitch policy={row.original} />,
  }),
  column.accessor('rule.severity', {
    id: 'severity',
    header: t('Severity'),
    meta: { width: '96px', phone: 'badge' },
    cell: ({ getValue }) => (
      <span className={classes.badge}>
        <SeverityBadge severity={getValue()} variant="plain" />
      </span>
    ),
  }),
  column.accessor('rule.name', {
    id: 'name',
    header: t('Policy'),
    meta: { phone: 'title' },
    cell: ({ row }) => <Name policy={row.original} />,
  }),
  column.accessor('rule.logic.source', {
    id: 'source',
    header: t('Source'),
    meta: { width: '140px' },
    cell: ({ row }) => <Source policy={row.original} />,
  }),
  column.accessor('matches_by_day', {
    header: t('Matches, 14 days'),
    meta: { width: '136px' },
    cell: ({ getValue }) => <MatchesSparkline days={getValue()} />,
  }),
  column.accessor('author', {
    header: t('Author'),
    meta: { width: '130px', phone: 'hidden' },
    cell: ({ row }) => <Author policy={row.original} />,
  }),
  column.accessor('last_case', {
    header: t('Last case'),
    meta: { width: '150px', align: 'end' },
    cell: ({ getValue }) => <LastCase of={getValue()} />,
  }),
];

function Name({ policy: { rule } }: { policy: Policy }) {
  const about = rule.description === '' ? inOneLine(rule.logic.filter_criteria) : rule.description;
  return (
    <span className={classes.name}>
      <span className={classes.title}>{rule.name}</span>
      <span className={classes.description} title={about.slice(0, 500)}>
        {about.slice(0, 300)}
      </span>
    </span>
  );
}

function Source({ policy }: { policy: Policy }) {
  const sources = sourcesInShort(policy);
  return (
    <span className={classes.clipped} title={sources}>
      {sources}
    </span>
  );
}

/** Who wrote it; of what the product ships, and where nobody is known, where it came from. */
export function Author({ policy: { author, origin } }: { policy: Policy }) {
  if (author === '' || origin === 'starter') return <span className={classes.faint}>{originWords[origin]}</span>;
  return (
    <span className={classes.clipped}>
      {origin === 'sigma' ? <span title={author}>{author}</span> : <Person username={author} />}
    </span>
  );
}

function LastCase({ of }: { of: Policy['last_case'] }) {
  if (of === null) {
    return (
      <span className={classes.faint} data-empty>
        –
      </span>
    );
  }
  return (
    <span className={classes.lastCase}>
      <Link to="/air/case-management/$id" params={{ id: of.id }} className={classes.reference}>
        {of.reference}
      </Link>
      <RelativeTime time={of.time_opened} className={classes.faint ?? ''} />
    </span>
  );
}
