import { roleLabels } from '@airdeck/contracts/access/roles';
import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { IconPlayerPause } from '@tabler/icons-react';
import { severityLooks } from '../../components/status-table.ts';
import { plural } from '../../language/plural.ts';
import { known, t } from '../../language/translate.ts';
import { useSession } from '../../session/app-context.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './overview.module.css';
import { openTotal } from './overview-rows.ts';
import { CasesBehind, ConnectorsBehind } from './tenant-link.tsx';

const column = columnsFor<TenantOverview>();
const severities = ['critical', 'high', 'medium', 'low'] as const;

export const overviewColumns = [
  column.display({
    id: 'name',
    header: t('Tenant'),
    enableSorting: true,
    meta: { phone: 'title' },
    cell: ({ row }) => <TenantName of={row.original} />,
  }),
  column.display({
    id: 'open',
    header: t('Open cases##state'),
    enableSorting: true,
    meta: { width: '196px' },
    cell: ({ row }) => <OpenCases of={row.original} />,
  }),
  column.display({
    id: 'sla',
    header: t('SLA breaches'),
    enableSorting: true,
    meta: { width: '112px', align: 'end' },
    cell: ({ row }) => <Breaches of={row.original} />,
  }),
  column.display({
    id: 'connectors',
    header: t('Connectors'),
    enableSorting: true,
    meta: { width: '124px' },
    cell: ({ row }) => <Connectors of={row.original} />,
  }),
  column.display({
    id: 'event',
    header: t('Last event'),
    enableSorting: true,
    meta: { width: '124px' },
    cell: ({ row }) => {
      const at = row.original.last_event_at;
      return at === null ? <span className={classes.faint}>{t('none yet')}</span> : <RelativeTime time={at} />;
    },
  }),
  column.display({
    id: 'mttd',
    header: t('MTTD, 7 days'),
    enableSorting: true,
    meta: { width: '120px', align: 'end' },
    cell: ({ row: { original: of } }) => (
      <Means manual={of.mttd_by_type.manual_mttd} automated={of.mttd_by_type.automated_mttd} />
    ),
  }),
  column.display({
    id: 'mttr',
    header: t('MTTR, 7 days'),
    enableSorting: true,
    meta: { width: '120px', align: 'end' },
    cell: ({ row: { original: of } }) => (
      <Means manual={of.mttr_by_type.manual_mttr} automated={of.mttr_by_type.automated_mttr} />
    ),
  }),
];

function TenantName({ of }: { of: TenantOverview }) {
  const { currentTenant } = useSession();
  return (
    <span className={classes.tenant}>
      <span className={classes.name}>{of.name}</span>
      {of.automation_enabled ? null : (
        <span className={classes.off} title={t('Nothing is done by itself in this tenant')}>
          <IconPlayerPause size={14} aria-hidden />
          {t('Automation off')}
        </span>
      )}
      <span className={classes.faint}>
        {of.id === currentTenant ? t('you are here · ') : ''}
        {known(roleLabels[of.role])} · {of.sku_name}
      </span>
    </span>
  );
}

const spoken: Readonly<Record<(typeof severities)[number], (count: number) => string>> = {
  critical: (count) => plural(count, '{count} critical', '{count} critical##several'),
  high: (count) => plural(count, '{count} high', '{count} high##several'),
  medium: (count) => plural(count, '{count} medium', '{count} medium##several'),
  low: (count) => plural(count, '{count} low', '{count} low##several'),
};

/** The same as the name of a link, which is read without its row. */
const casesOf: Readonly<Record<(typeof severities)[number], (count: number, name: string) => string>> = {
  critical: (count, name) =>
    plural(count, '{count} critical case of {name}', '{count} critical cases of {name}', { name }),
  high: (count, name) => plural(count, '{count} high case of {name}', '{count} high cases of {name}', { name }),
  medium: (count, name) => plural(count, '{count} medium case of {name}', '{count} medium cases of {name}', { name }),
  low: (count, name) => plural(count, '{count} low case of {name}', '{count} low cases of {name}', { name }),
};

/** Counts by severity, each with its icon and word for readers; zeros stay quiet. */
function OpenCases({ of }: { of: TenantOverview }) {
  if (openTotal(of) === 0) return <span className={classes.faint}>{t('none')}</span>;
  return (
    <span className={classes.cases}>
      {severities.map((severity) => {
        const { word, color, icon: Icon } = severityLooks[severity];
        const count = of.open_cases[severity];
        return (
          <CasesBehind
            key={severity}
            of={of}
            count={count}
            cases={{ filters: { status: ['open', 'acknowledged'], severity: [severity] } }}
            label={casesOf[severity](count, of.name)}
            className={classes.severity}
            style={count === 0 ? undefined : { color }}
            title={spoken[severity](count)}
          >
            <Icon size={14} aria-hidden />
            <span className={classes.spoken}>{word}</span>
            {count}
          </CasesBehind>
        );
      })}
    </span>
  );
}

function Breaches({ of }: { of: TenantOverview }) {
  const { name, sla_breaches: count } = of;
  return (
    <CasesBehind
      of={of}
      count={count}
      cases={{ figure: 'late' }}
      label={plural(count, '{count} late case of {name}', '{count} late cases of {name}', { name })}
      className={count === 0 ? classes.faint : classes.alarming}
    >
      {count}
    </CasesBehind>
  );
}

function Connectors({ of }: { of: TenantOverview }) {
  const { active, paused, error, pending } = of.connectors;
  const others = [
    ['paused', paused, plural(paused, '{count} paused', '{count} paused##several')],
    ['pending', pending, plural(pending, '{count} pending', '{count} pending##several')],
  ] as const;
  if (active + paused + error + pending === 0) return <span className={classes.faint}>{t('none')}</span>;
  return (
    <span className={classes.connectors}>
      {error === 0 ? null : (
        <ConnectorsBehind
          of={of}
          count={error}
          state="error"
          label={plural(error, '{count} failing connector of {name}', '{count} failing connectors of {name}', {
            name: of.name,
          })}
          className={classes.alarming}
        >
          {plural(error, '{count} failing', '{count} failing##several')}
        </ConnectorsBehind>
      )}
      <span>{plural(active, '{count} active', '{count} active##several')}</span>
      {others.map(([state, count, words]) =>
        count === 0 ? null : (
          <span key={state} className={classes.faint}>
            {words}
          </span>
        ),
      )}
    </span>
  );
}

function Means({ manual, automated }: { manual: number | null; automated: number | null }) {
  const { locale } = useReader();
  if (manual === null && automated === null) {
    return (
      <span className={classes.faint} data-empty>
        –
      </span>
    );
  }
  return (
    <span className={classes.means}>
      <span title={t('By people')}>{formatDuration(manual, locale)}</span>
      <span className={classes.faint} title={t('Automated')}>
        {t('auto {duration}', { duration: formatDuration(automated, locale) })}
      </span>
    </span>
  );
}
