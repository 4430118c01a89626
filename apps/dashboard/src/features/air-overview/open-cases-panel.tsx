import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { SeverityBadge } from '../../components/status-badge.tsx';
import { severityLooks } from '../../components/status-table.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './air-overview.module.css';
import { CasesCount } from './cases-link.tsx';

const HOUR_MS = 3_600_000;

/** How long ago, from and to, in hours; the oldest has no start. */
const ages = [
  { id: 'hour', label: 'Under 1\u00a0h', from: 1, to: undefined },
  { id: 'day', label: '1\u00a0h to 1\u00a0day', from: 24, to: 1 },
  { id: 'week', label: '1 to 7\u00a0days', from: 168, to: 24 },
  { id: 'older', label: 'Over 7\u00a0days', from: undefined, to: 168 },
] as const;

/** Cases that are not closed, by severity and age: what has waited long and weighs much stands out. */
export function OpenCasesPanel({ overview: { open, as_of: asOf } }: { overview: AirOverview }) {
  const ago = (hours: number) => new Date(Date.parse(asOf) - hours * HOUR_MS).toISOString();
  const total = open.reduce((sum, row) => sum + row.hour + row.day + row.week + row.older, 0);
  const most = Math.max(1, ...open.flatMap((row) => [row.hour, row.day, row.week, row.older]));
  const notClosed = { status: ['open' as const, 'acknowledged' as const] };
  return (
    <Panel
      title="Open cases by severity and age"
      aside={
        <span className={classes.aside}>
          <CasesCount value={total} behind={notClosed} label="open cases" /> in all
        </span>
      }
      flush
    >
      <table className={classes.grid}>
        <thead>
          <tr>
            <th scope="col">Severity</th>
            {ages.map(({ id, label }) => (
              <th key={id} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {open.map((row) => (
            <tr key={row.severity}>
              <th scope="row">
                <SeverityBadge severity={row.severity} variant="plain" />
              </th>
              {ages.map(({ id, label, from, to }) => (
                <td key={id} style={{ background: shade(severityLooks[row.severity].color, row[id] / most) }}>
                  <CasesCount
                    value={row[id]}
                    behind={{
                      ...notClosed,
                      severity: [row.severity],
                      ...(from === undefined ? {} : { startTime: ago(from) }),
                      ...(to === undefined ? {} : { endTime: ago(to) }),
                    }}
                    label={`${row.severity} cases, open for ${label.toLowerCase()}`}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** Weak enough that the figure on it keeps its contrast. */
function shade(color: string, share: number): string {
  return share === 0 ? 'transparent' : `color-mix(in srgb, ${color} ${Math.round(6 + share * 14)}%, transparent)`;
}
