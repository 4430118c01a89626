import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { Link } from '@tanstack/react-router';
import { sourceKindWords } from '../../../components/source-command.ts';
import { Sparkline } from '../../../components/widgets/sparkline.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { fileSize } from '../../../lib/file-download.ts';
import type { ReportRange } from '../../../queries/figure-reports.ts';
import { Count } from '../../../ui/count.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { CsvButton } from '../figures/csv-button.tsx';
import classes from '../figures/figures.module.css';

type Source = Pick<LogReport['sources'][number], 'kind' | 'name' | 'deleted' | 'connector_id'>;

/** Volume of every source, most first. */
export function SourceTable({
  report: { sources, other_sources: others },
  range,
}: {
  report: LogReport;
  range: ReportRange;
}) {
  return (
    <Panel
      title={t('Sources')}
      flush
      aside={
        <CsvButton
          table={{ of: 'log-report.csv', table: 'sources' }}
          range={range}
          label={t('Download the sources as CSV')}
        />
      }
    >
      {sources.length === 0 ? (
        <EmptyState title={t('Nothing came in')}>{t('No source sent an event in this period.')}</EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.scroll} aria-label={t('Table of sources')} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('Source')}</th>
                <th scope="col">{t('Kind')}</th>
                <th scope="col">{t('By day')}</th>
                <th scope="col" data-align="end">
                  {t('Events')}
                </th>
                <th scope="col" data-align="end">
                  {t('Before')}
                </th>
                <th scope="col" data-align="end">
                  {t('Volume')}
                </th>
                <th scope="col" data-align="end">
                  {t('Last event')}
                </th>
              </tr>
            </thead>
            <tbody>
              {sources.map((source) => (
                <tr key={source.id}>
                  <th scope="row">
                    <SourceName of={source} />
                  </th>
                  <td>{kindWord(source)}</td>
                  <td className={classes.course}>
                    <Sparkline values={source.events_by_day} color="var(--air-accent)" />
                  </td>
                  <td data-align="end">
                    <Count value={source.events} />
                  </td>
                  <td data-align="end" className={classes.faint}>
                    <Count value={source.previous_events} />
                  </td>
                  <td data-align="end">{fileSize(source.bytes)}</td>
                  <td data-align="end">
                    {source.last_event_at === null ? '–' : <RelativeTime time={source.last_event_at} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {others.sources === 0 ? null : (
            <p className={classes.words}>
              {tx('And {sources} more with {events} events; the file has them all.', {
                sources: <Count value={others.sources} />,
                events: <Count value={others.events} />,
              })}
            </p>
          )}
        </section>
      )}
    </Panel>
  );
}

export function SourceName({ of: { name, deleted, connector_id: connector } }: { of: Source }) {
  const words = deleted ? t('{name} (deleted)', { name }) : name;
  if (connector === null || deleted) return words;
  return (
    <Link className={classes.link} to="/integrations/$id" params={{ id: connector }}>
      {words}
    </Link>
  );
}

export function kindWord({ kind }: Pick<Source, 'kind'>): string {
  return kind === 'connector' ? t('Integration') : sourceKindWords[kind].label;
}
