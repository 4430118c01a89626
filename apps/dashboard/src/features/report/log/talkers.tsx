import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { Link } from '@tanstack/react-router';
import { t } from '../../../language/translate.ts';
import type { ReportRange } from '../../../queries/figure-reports.ts';
import { useAccess } from '../../../session/access.ts';
import { Count } from '../../../ui/count.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CsvButton } from '../figures/csv-button.tsx';
import classes from '../figures/figures.module.css';

const kinds = {
  hosts: {
    title: t('Busiest hosts'),
    column: t('Host'),
    field: 'host',
    csvLabel: t('Download the busiest hosts as CSV'),
    tableLabel: t('Table of busiest hosts'),
  },
  src_ips: {
    title: t('Busiest source addresses'),
    column: t('Address'),
    field: 'src_ip',
    csvLabel: t('Download the busiest source addresses as CSV'),
    tableLabel: t('Table of busiest source addresses'),
  },
} as const;

type Props = { report: LogReport; range: ReportRange; kind: keyof typeof kinds };

/** Who is named by most events; each leads to its events. */
export function Talkers({ report, range, kind }: Props) {
  const { title, column, field, csvLabel, tableLabel } = kinds[kind];
  const { allowed } = useAccess('search');
  const rows = report[kind];
  return (
    <Panel
      title={title}
      flush
      aside={<CsvButton table={{ of: 'log-report.csv', table: kind }} range={range} label={csvLabel} />}
    >
      {rows.length === 0 ? (
        <p className={classes.words}>
          {report.talkers_complete
            ? t('No event of this period names one.')
            : t('These are too many events to count in time. Choose a shorter period.')}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.tall} aria-label={tableLabel} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{column}</th>
                <th scope="col" data-align="end">
                  {t('Events')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ value, events }) => (
                <tr key={value}>
                  <th scope="row" className="air-mono">
                    {allowed ? (
                      <Link
                        className={classes.link}
                        to="/search"
                        search={{
                          query: `${field}:${JSON.stringify(value)}`,
                          timeRange: { start: report.start_time, end: report.end_time },
                        }}
                      >
                        {value}
                      </Link>
                    ) : (
                      value
                    )}
                  </th>
                  <td data-align="end">
                    <Count value={events} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  );
}
