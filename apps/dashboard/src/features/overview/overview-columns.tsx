import { roleLabels } from '@airdeck/contracts/access/roles';
import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { IconPlayerPause } from '@tabler/icons-react';
import { severityLooks } from '../../components/status-table.ts';
import { useSession } from '../../session/app-context.ts';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './overview.module.css';
import { openTotal } from './overview-rows.ts';

const column = columnsFor<TenantOverview>();
const severities = ['critical', 'high', 'medium', 'low'] as const;

export const overviewColumns = [
  column.display({
    id: 'name',
    header: 'Tenant',
    enableSorting: true,
    meta: { phone: 'title' },
    cell: ({ row }) => <TenantName of={row.original} />,
  }),
  column.display({
    id: 'open',
    header: 'Open cases',
    enableSorting: true,
    meta: { width: '210px' },
    cell: ({ row }) => <OpenCases of={row.original} />,
  }),
  column.display({
    id: 'sla',
    header: 'SLA breaches',
    enableSorting: true,
    meta: { width: '116px', align: 'end' },
    cell: ({ row }) => <Alarming count={row.original.sla_breaches} />,
  }),
  column.display({
    id: 'connectors',
    header: 'Connectors',
    enableSorting: true,
    meta: { width: '150px' },
    cell: ({ row }) => <Connectors of={row.original.connectors} />,
  }),
  column.display({
    id: 'event',
    header: 'Last event',
    enableSorting: true,
    meta: { width: '150px' },
    cell: ({ row }) => {
      const at = row.original.last_event_at;
      return at === null ? <span className={classes.faint}>none yet</span> : <RelativeTime time={at} />;
    },
  }),
  column.display({
    id: 'mttd',
    header: 'MTTD, 7 days',
    enableSorting: true,
    meta: { width: '132px', align: 'end' },
    cell: ({ row: { original: of } }) => (
      <Means manual={of.mttd_by_type.manual_mttd} automated={of.mttd_by_type.automated_mttd} />
    ),
  }),
  column.display({
    id: 'mttr',
    header: 'MTTR, 7 days',
    enableSorting: true,
    meta: { width: '132px', align: 'end' },
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
        <span className={classes.off} title="Nothing is done by itself in this tenant">
          <IconPlayerPause size={14} aria-hidden />
          Automation off
        </span>
      )}
      <span className={classes.faint}>
        {of.id === currentTenant ? 'you are here · ' : ''}
        {roleLabels[of.role]} · {of.sku_name}
      </span>
    </span>
  );
}

/** Counts by severity, each with its icon and word for readers; zeros stay quiet. */
function OpenCases({ of }: { of: TenantOverview }) {
  if (openTotal(of) === 0) return <span className={classes.faint}>none</span>;
  return (
    <span className={classes.cases}>
      {severities.map((severity) => {
        const { word, color, icon: Icon } = severityLooks[severity];
        const count = of.open_cases[severity];
        return (
          <span
            key={severity}
            className={classes.severity}
            style={count === 0 ? undefined : { color }}
            title={`${count} ${word.toLowerCase()}`}
          >
            <Icon size={14} aria-hidden />
            <span className={classes.spoken}>{word}</span>
            {count}
          </span>
        );
      })}
    </span>
  );
}

function Alarming({ count }: { count: number }) {
  return <span className={count === 0 ? classes.faint : classes.alarming}>{count}</span>;
}

function Connectors({ of: { active, paused, error, pending } }: { of: TenantOverview['connectors'] }) {
  const others = [
    [paused, 'paused'],
    [pending, 'pending'],
  ] as const;
  if (active + paused + error + pending === 0) return <span className={classes.faint}>none</span>;
  return (
    <span className={classes.connectors}>
      {error === 0 ? null : <span className={classes.alarming}>{error} failing</span>}
      <span>{active} active</span>
      {others.map(([count, word]) =>
        count === 0 ? null : (
          <span key={word} className={classes.faint}>
            {count} {word}
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
      <span title="By people">{formatDuration(manual, locale)}</span>
      <span className={classes.faint} title="Automated">
        auto {formatDuration(automated, locale)}
      </span>
    </span>
  );
}
