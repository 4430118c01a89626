import type { ActivityReport } from '@airdeck/contracts/reports/activity-report';
import { formatDuration } from '@airdeck/domain/duration';
import { EffectBadge } from '../../../components/effect-badge.tsx';
import { t } from '../../../language/translate.ts';
import type { ReportRange } from '../../../queries/figure-reports.ts';
import { Count } from '../../../ui/count.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { type Reader, useReader } from '../../../ui/reader.ts';
import { CsvButton } from '../figures/csv-button.tsx';
import classes from '../figures/figures.module.css';

/** How the time saved was reckoned, so that nobody has to believe it. */
export function TimeSaved({ report, range }: { report: ActivityReport; range: ReportRange }) {
  const { time_saved_by: rows, time_saved_minutes: minutes } = report;
  const reader = useReader();
  return (
    <Panel
      title={t('How the time saved is reckoned')}
      flush
      aside={
        <CsvButton
          table={{ of: 'activity-report.csv', table: 'time_saved' }}
          range={range}
          label={t('Download how the time saved is reckoned as CSV')}
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroll} aria-label={t('Table of time saved')} tabIndex={0}>
        <table className={classes.table} data-stacks>
          <thead>
            <tr>
              <th scope="col">{t('What the action does')}</th>
              <th scope="col" data-align="end">
                {t('Successful')}
              </th>
              <th scope="col" data-align="end">
                {t('By hand, each')}
              </th>
              <th scope="col" data-align="end">
                {t('Saved##time')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ effect, actions, minutes_each: each }) => (
              <tr key={effect}>
                <th scope="row">
                  <EffectBadge effect={effect} />
                </th>
                <td data-label={t('Successful')} data-align="end">
                  <Count value={actions} />
                </td>
                <td data-label={t('By hand, each')} data-align="end">
                  {minutesText(each, reader)}
                </td>
                <td data-label={t('Saved##time')} data-align="end">
                  {minutesText(actions * each, reader)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={classes.words}>
        {t(
          'Together {time}. The minutes by hand are an assumption: looking something up in another tool, or signing in there, changing one thing and writing it down.',
          { time: minutesText(minutes, reader) },
        )}
      </p>
    </Panel>
  );
}

export function minutesText(minutes: number, { locale }: Reader): string {
  return formatDuration(minutes * 60, locale);
}
