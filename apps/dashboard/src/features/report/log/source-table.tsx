import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { sourceKindWords } from '../../../components/source-command.ts';
import { Sparkline } from '../../../components/widgets/sparkline.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { fileSize } from '../../../lib/file-download.ts';
import type { ReportRange } from '../../../queries/figure-reports.ts';
import { useAccess } from '../../../session/access.ts';
import { Count } from '../../../ui/count.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { CsvButton } from '../figures/csv-button.tsx';
import classes from '../figures/figures.module.css';

type Source = Pick<LogReport['sources'][number], 'kind' | 'name' | 'deleted' | 'connector_id'>;

/** Volume of every source, most first. */
export function SourceTable({
  report: { sources, silent_sources: silent, other_sources: others },
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
        <NothingCame isNew={silent.length === 0} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.scroll} aria-label={t('Table of sources')} tabIndex={0}>
          <table className={classes.table} data-stacks>
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
                  <td data-label={t('Kind')}>{kindWord(source)}</td>
                  <td data-label={t('By day')} className={classes.course}>
                    <Sparkline values={source.events_by_day} color="var(--air-accent)" />
                  </td>
                  <td data-label={t('Events')} data-align="end">
                    <Count value={source.events} />
                  </td>
                  <td data-label={t('Before')} data-align="end" className={classes.faint}>
                    <Count value={source.previous_events} />
                  </td>
                  <td data-label={t('Volume')} data-align="end">
                    {fileSize(source.bytes)}
                  </td>
                  <td data-label={t('Last event')} data-align="end">
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

/** A tenant without any source is led to where one is set up, if it is somebody who may. */
function NothingCame({ isNew }: { isNew: boolean }) {
  const { allowed } = useAccess('eventSources');
  if (!isNew) {
    return <EmptyState title={t('Nothing came in')}>{t('No source sent an event in this period.')}</EmptyState>;
  }
  return (
    <EmptyState
      title={t('No source is set up')}
      action={
        allowed ? (
          <Button component={Link} to="/integrations/sources">
            {t('Set up a source')}
          </Button>
        ) : undefined
      }
    >
      {allowed
        ? t('A source is where a system sends its events. What comes in shows here.')
        : t('A System Manager sets sources up. What comes in shows here.')}
    </EmptyState>
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
