import type { ActivityReport } from '@airdeck/contracts/reports/activity-report';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DayPanel } from '../../../components/day-figures/day-panel.tsx';
import { t } from '../../../language/translate.ts';
import { figureReportQueries, type ReportRange } from '../../../queries/figure-reports.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Count } from '../../../ui/count.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { dateFormat, numberFormat, useReader } from '../../../ui/reader.ts';
import { useNow } from '../../../ui/use-now.ts';
import { CsvButton } from '../figures/csv-button.tsx';
import { FigureReport, ReportFigures } from '../figures/figure-report.tsx';
import classes from '../figures/figures.module.css';
import { ReportRangeSelect } from '../figures/report-range-select.tsx';
import { timesOf } from '../figures/report-times.ts';
import { ReportArea } from '../report-area.tsx';
import { Results } from './results.tsx';
import { runSeries } from './run-series.ts';
import { minutesText, TimeSaved } from './time-saved.tsx';
import { TopRuns } from './top-runs.tsx';

const route = getRouteApi('/_dashboard/report/soar');

/** SOAR report: what actions and playbooks did, how it ended, and the time they saved. */
export function SoarReportPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { timeZone } = useReader();
  const now = useNow();
  const range = timesOf(search, { now, timeZone });
  const report = useQuery(figureReportQueries.activity(useTenantApi(), range));
  return (
    <>
      <PageHeader
        title={t('Automation')}
        section={t('Reports')}
        purpose={t('What actions and playbooks did, how it ended, and the time they took off people’s hands.')}
        actions={
          <ReportRangeSelect
            search={search}
            now={now}
            onChange={(next) => void navigate({ search: next, replace: true })}
          />
        }
      />
      <ReportArea current="soar">
        <FigureReport query={report} label={t('Loading the automation report')}>
          {(found) => <Parts report={found} range={range} />}
        </FigureReport>
      </ReportArea>
    </>
  );
}

function Parts({ report, range }: { report: ActivityReport; range: ReportRange }) {
  const reader = useReader();
  const number = numberFormat(reader);
  const count = (value: number) => number.format(value);
  return (
    <>
      <NotKept report={report} />
      <ReportFigures
        figures={[
          { name: t('Actions'), value: <Count value={report.action_count} />, note: shareText(report.action_results) },
          {
            name: t('Playbook runs'),
            value: <Count value={report.playbook_count} />,
            note: shareText(report.playbook_results),
          },
          {
            name: t('Time saved'),
            value: minutesText(report.time_saved_minutes, reader),
            note: t('An estimate; how is shown below'),
          },
        ]}
      />
      <DayPanel
        title={t('Runs by day')}
        rows={report.by_day.map(({ day, actions, playbooks, time_saved_minutes: minutes }) => ({
          day,
          values: { actions, playbooks, minutes },
        }))}
        series={runSeries.map((each) => ({ ...each, text: count }))}
        more={[
          {
            name: 'minutes',
            label: t('Time saved'),
            color: 'var(--air-chart-1)',
            text: (value) => minutesText(value, reader),
          },
        ]}
        aside={
          <CsvButton
            table={{ of: 'activity-report.csv', table: 'days' }}
            range={range}
            label={t('Download the days as CSV')}
          />
        }
      />
      <div className={classes.two}>
        <TopRuns report={report} range={range} kind="actions" />
        <TopRuns report={report} range={range} kind="playbooks" />
      </div>
      <div className={classes.two}>
        <Results report={report} range={range} />
        <TimeSaved report={report} range={range} />
      </div>
    </>
  );
}

/** A time that begins before runs do would look as if nothing had happened then. */
function NotKept({ report: { start_time: start, kept_from: kept } }: { report: NotKeptReport }) {
  const reader = useReader();
  if (kept === undefined || Date.parse(start) >= Date.parse(kept)) return null;
  return (
    <p className={classes.before}>
      {t('Runs that ended before {date} are no longer kept and not counted.', {
        date: dateFormat(reader, { dateStyle: 'medium' }).format(new Date(kept)),
      })}
    </p>
  );
}

type NotKeptReport = Pick<ActivityReport, 'start_time' | 'kept_from'>;

function shareText(results: ActivityReport['action_results']): string {
  const ended = results.success + results.error;
  return ended === 0
    ? t('None has ended')
    : t('{percent} % succeeded', { percent: Math.round((100 * results.success) / ended) });
}
