import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { SeverityBadge } from '../../components/status-badge.tsx';
import { severityLooks } from '../../components/status-table.ts';
import { plural } from '../../language/plural.ts';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './air-overview.module.css';
import { CasesCount } from './cases-link.tsx';

const HOUR_MS = 3_600_000;

/** How long ago, from and to, in hours; the oldest has no start. */
const ages = [
  { id: 'hour', label: t('Under 1 h'), spoken: t('under 1 h'), from: 1, to: undefined },
  { id: 'day', label: t('1 h to 1 day'), spoken: t('1 h to 1 day'), from: 24, to: 1 },
  { id: 'week', label: t('1 to 7 days'), spoken: t('1 to 7 days'), from: 168, to: 24 },
  { id: 'older', label: t('Over 7 days'), spoken: t('over 7 days'), from: undefined, to: 168 },
] as const;

/** Cases that are not closed, by severity and age: what has waited long and weighs much stands out. */
export function OpenCasesPanel({ overview: { open, as_of: asOf } }: { overview: AirOverview }) {
  const ago = (hours: number) => new Date(Date.parse(asOf) - hours * HOUR_MS).toISOString();
  const total = open.reduce((sum, row) => sum + row.hour + row.day + row.week + row.older, 0);
  const most = Math.max(1, ...open.flatMap((row) => [row.hour, row.day, row.week, row.older]));
  const notClosed = { status: ['open' as const, 'acknowledged' as const] };
  return (
    <Panel
      title={t('Open cases by severity and age')}
      aside={
        <span className={classes.aside}>
          {tx('{count} in all', {
            count: (
              <CasesCount
                value={total}
                behind={notClosed}
                label={(count) => plural(count, '{count} open case', '{count} open cases')}
              />
            ),
          })}
        </span>
      }
      flush
    >
      <table className={classes.grid}>
        <thead>
          <tr>
            <th scope="col">{t('Severity')}</th>
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
              {ages.map(({ id, spoken, from, to }) => (
                <td key={id} style={{ background: shade(severityLooks[row.severity].color, row[id] / most) }}>
                  <CasesCount
                    value={row[id]}
                    behind={{
                      ...notClosed,
                      severity: [row.severity],
                      ...(from === undefined ? {} : { startTime: ago(from) }),
                      ...(to === undefined ? {} : { endTime: ago(to) }),
                    }}
                    label={(count) => openFor[row.severity](count, spoken)}
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

const openFor: Readonly<Record<CaseSeverity, (count: number, age: string) => string>> = {
  critical: (count, age) =>
    plural(count, '{count} critical case, open for {age}', '{count} critical cases, open for {age}', { age }),
  high: (count, age) =>
    plural(count, '{count} high case, open for {age}', '{count} high cases, open for {age}', { age }),
  medium: (count, age) =>
    plural(count, '{count} medium case, open for {age}', '{count} medium cases, open for {age}', { age }),
  low: (count, age) => plural(count, '{count} low case, open for {age}', '{count} low cases, open for {age}', { age }),
};

/** Weak enough that the figure on it keeps its contrast. */
function shade(color: string, share: number): string {
  return share === 0 ? 'transparent' : `color-mix(in srgb, ${color} ${Math.round(6 + share * 14)}%, transparent)`;
}
