import type { ActivityReport } from '@airdeck/contracts/reports/activity-report';
import { runStatuses } from '@airdeck/contracts/statuses';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import type { ReportRange } from '../../../queries/figure-reports.ts';
import { Count } from '../../../ui/count.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CsvButton } from '../figures/csv-button.tsx';
import classes from '../figures/figures.module.css';

/** How actions and playbook runs ended, or where they stand. */
export function Results({ report, range }: { report: ActivityReport; range: ReportRange }) {
  const actions: Readonly<Partial<Record<string, number>>> = report.action_results;
  return (
    <Panel
      title={t('Results')}
      flush
      aside={
        <CsvButton
          table={{ of: 'activity-report.csv', table: 'results' }}
          range={range}
          label={t('Download the results as CSV')}
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={t('Table of results')} tabIndex={0}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('State')}</th>
              <th scope="col" data-align="end">
                {t('Actions')}
              </th>
              <th scope="col" data-align="end">
                {t('Playbook runs')}
              </th>
            </tr>
          </thead>
          <tbody>
            {runStatuses.map((status) => (
              <tr key={status}>
                <th scope="row">
                  <RunStatusBadge status={status} variant="plain" />
                </th>
                <td data-align="end">
                  <Count value={actions[status] ?? 0} />
                </td>
                <td data-align="end">
                  <Count value={report.playbook_results[status]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Panel>
  );
}
