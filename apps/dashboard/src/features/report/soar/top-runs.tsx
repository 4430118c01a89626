import type { ActivityReport } from '@airdeck/contracts/reports/activity-report';
import { t } from '../../../language/translate.ts';
import type { ReportRange } from '../../../queries/figure-reports.ts';
import { Count } from '../../../ui/count.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CsvButton } from '../figures/csv-button.tsx';
import classes from '../figures/figures.module.css';

const kinds = {
  actions: {
    title: t('Actions that ran most'),
    column: t('Action'),
    none: t('No action ran in this period.'),
    csvLabel: t('Download the actions as CSV'),
    tableLabel: t('Table of actions that ran most'),
  },
  playbooks: {
    title: t('Playbooks that ran most'),
    column: t('Playbook'),
    none: t('No playbook ran in this period.'),
    csvLabel: t('Download the playbooks as CSV'),
    tableLabel: t('Table of playbooks that ran most'),
  },
} as const;

type Props = { report: ActivityReport; range: ReportRange; kind: keyof typeof kinds };

/** What automation is used for. */
export function TopRuns({ report, range, kind }: Props) {
  const { title, column, none, csvLabel, tableLabel } = kinds[kind];
  const rows =
    kind === 'actions'
      ? report.top_actions.map(({ action_name: id, label, ...rest }) => ({ id, name: label, ...rest }))
      : report.top_playbooks.map((row) => ({ id: row.name, ...row }));
  return (
    <Panel
      title={title}
      flush
      aside={<CsvButton table={{ of: 'activity-report.csv', table: kind }} range={range} label={csvLabel} />}
    >
      {rows.length === 0 ? (
        <p className={classes.words}>{none}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.tall} aria-label={tableLabel} tabIndex={0}>
          <table className={classes.table} data-stacks>
            <thead>
              <tr>
                <th scope="col">{column}</th>
                <th scope="col" data-align="end">
                  {t('Runs')}
                </th>
                <th scope="col" data-align="end">
                  {t('Succeeded')}
                </th>
                <th scope="col" data-align="end">
                  {t('Failed')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, name, count, success, error }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td data-label={t('Runs')} data-align="end">
                    <Count value={count} />
                  </td>
                  <td data-label={t('Succeeded')} data-align="end">
                    <Count value={success} />
                  </td>
                  <td data-label={t('Failed')} data-align="end" className={error === 0 ? classes.faint : undefined}>
                    <Count value={error} />
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
