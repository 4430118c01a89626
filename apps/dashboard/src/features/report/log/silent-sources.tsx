import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import type { ReportRange } from '../../../queries/figure-reports.ts';
import { Count } from '../../../ui/count.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { CsvButton } from '../figures/csv-button.tsx';
import classes from '../figures/figures.module.css';
import { kindWord, SourceName } from './source-table.tsx';

const reasons = {
  period: t('Sent before, nothing in this period'),
  day: t('Nothing for 24 hours'),
  never: t('Set up, never sent anything'),
} as const;

/** Sources that used to send, or were set up to, and do not. */
export function SilentSources({
  report: { sources, silent_sources: silent, source_counts: counts },
  range,
}: {
  report: LogReport;
  range: ReportRange;
}) {
  return (
    <Panel
      title={t('Silent sources')}
      flush
      aside={
        <CsvButton
          table={{ of: 'log-report.csv', table: 'silent_sources' }}
          range={range}
          label={t('Download the silent sources as CSV')}
        />
      }
    >
      {silent.length === 0 ? (
        <p className={classes.words}>
          {sources.length === 0 ? t('No source is set up.') : t('None: every source has sent something within a day.')}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.scroll} aria-label={t('Table of silent sources')} tabIndex={0}>
          <table className={classes.table} data-stacks>
            <thead>
              <tr>
                <th scope="col">{t('Source')}</th>
                <th scope="col">{t('Kind')}</th>
                <th scope="col">{t('Why')}</th>
                <th scope="col" data-align="end">
                  {t('Events before')}
                </th>
                <th scope="col" data-align="end">
                  {t('Last event')}
                </th>
              </tr>
            </thead>
            <tbody>
              {silent.map((source) => (
                <tr key={source.id}>
                  <th scope="row">
                    <SourceName of={source} />
                  </th>
                  <td data-label={t('Kind')}>{kindWord(source)}</td>
                  <td data-label={t('Why')}>{reasons[source.reason]}</td>
                  <td data-label={t('Events before')} data-align="end">
                    <Count value={source.previous_events} />
                  </td>
                  <td data-label={t('Last event')} data-align="end">
                    {source.last_event_at === null ? t('Never') : <RelativeTime time={source.last_event_at} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {counts.silent === silent.length ? null : (
            <p className={classes.words}>
              {tx('And {sources} more; the file has them all.', {
                sources: <Count value={counts.silent - silent.length} />,
              })}
            </p>
          )}
        </section>
      )}
    </Panel>
  );
}
