import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DayPanel } from '../../../components/day-figures/day-panel.tsx';
import { plural } from '../../../language/plural.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { fileSize } from '../../../lib/file-download.ts';
import { figureReportQueries, type ReportRange } from '../../../queries/figure-reports.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Count } from '../../../ui/count.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { numberFormat, useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { CsvButton } from '../figures/csv-button.tsx';
import { FigureReport, ReportFigures } from '../figures/figure-report.tsx';
import classes from '../figures/figures.module.css';
import { ReportRangeSelect } from '../figures/report-range-select.tsx';
import { timesOf } from '../figures/report-times.ts';
import { ReportArea } from '../report-area.tsx';
import { SilentSources } from './silent-sources.tsx';
import { SourceTable } from './source-table.tsx';
import { Talkers } from './talkers.tsx';

const route = getRouteApi('/_dashboard/report/graylog');

/** Log-collection report: what came in, from where, who talks most, and what has fallen silent. */
export function LogReportPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { timeZone } = useReader();
  const now = useNow();
  const range = timesOf(search, { now, timeZone });
  const report = useQuery(figureReportQueries.log(useTenantApi(), range));
  return (
    <>
      <PageHeader
        title={t('Log collection')}
        section={t('Reports')}
        purpose={t('What your systems sent, by source and day, who talks most, and what has fallen silent.')}
        actions={
          <ReportRangeSelect
            search={search}
            now={now}
            onChange={(next) => void navigate({ search: next, replace: true })}
          />
        }
      />
      <ReportArea current="log">
        <FigureReport query={report} label={t('Loading the log-collection report')}>
          {(found) => <Parts report={found} range={range} />}
        </FigureReport>
      </ReportArea>
    </>
  );
}

function Parts({ report, range }: { report: LogReport; range: ReportRange }) {
  const reader = useReader();
  const number = numberFormat(reader);
  const { total, previous, by_day: byDay, retention, source_counts: counts } = report;
  return (
    <>
      <ReportFigures
        figures={[
          { name: t('Events'), value: <Count value={total.events} />, note: changeText(total.events, previous.events) },
          { name: t('Volume'), value: fileSize(total.bytes), note: changeText(total.bytes, previous.bytes) },
          { name: t('Sources that sent'), value: <Count value={counts.sent} /> },
          {
            name: t('Silent sources'),
            value: <Count value={counts.silent} />,
            note: silentNote(report),
          },
          {
            name: t('Kept for'),
            value: plural(retention.days, '{count} day', '{count} days'),
            note: oldestNote(retention),
          },
        ]}
      />
      <DayPanel
        title={t('Events by day')}
        rows={byDay.map(({ day, events, bytes }) => ({ day, values: { events, bytes } }))}
        series={[
          { name: 'events', label: t('Events'), color: 'var(--air-chart-1)', text: (value) => number.format(value) },
        ]}
        more={[{ name: 'bytes', label: t('Volume'), color: 'var(--air-chart-1)', text: fileSize }]}
        aside={
          <CsvButton
            table={{ of: 'log-report.csv', table: 'days' }}
            range={range}
            label={t('Download the days as CSV')}
          />
        }
      />
      <SourceTable report={report} range={range} />
      <div className={classes.two}>
        <Talkers report={report} range={range} kind="hosts" />
        <Talkers report={report} range={range} kind="src_ips" />
      </div>
      <SilentSources report={report} range={range} />
    </>
  );
}

function silentNote({ sources, source_counts: { silent, never_sent: never } }: LogReport): string {
  if (sources.length === 0) return t('No source is set up');
  if (silent === 0) return t('Everything that is known sends');
  if (never === 0) return t('Listed below');
  return plural(never, '{count} of them has never sent anything', '{count} of them have never sent anything');
}

function oldestNote({ oldest_event_at: oldest, oldest_known: isKnown }: LogReport['retention']): ReactNode {
  if (!isKnown) return t('Oldest event not known: too many to look through in time');
  if (oldest === null) return t('Nothing is stored yet');
  return tx('Oldest event: {time}', { time: <RelativeTime time={oldest} /> });
}

/** Against the time of the same length before. */
export function changeText(now: number, before: number): string {
  if (before === 0) return now === 0 ? t('As in the time before') : t('None in the time before');
  const percent = Math.round((100 * (now - before)) / before);
  if (percent === 0) return t('As in the time before');
  return percent > 0
    ? t('{percent} % more than before', { percent })
    : t('{percent} % less than before', { percent: -percent });
}
