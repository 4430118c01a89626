import type { EventUsage } from '@airdeck/contracts/reports/log-report';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DayPanel } from '../../../components/day-figures/day-panel.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { presetTimes } from '../../../lib/day-presets.ts';
import { fileSize } from '../../../lib/file-download.ts';
import { figureReportQueries } from '../../../queries/figure-reports.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { numberFormat, useReader, zoneNameOf } from '../../../ui/reader.ts';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { DaysSelect, DEFAULT_DAYS, type UsageDays } from './days-select.tsx';

/** What a tenant sends, events and bytes by day: the one that is looked at, or a customer of it. */
export function EventUsagePanel({ customerId }: { customerId?: string }) {
  const [days, setDays] = useState<UsageDays>(DEFAULT_DAYS);
  const { timeZone } = useReader();
  const now = useNow();
  const range = {
    start_time: presetTimes(`${days}d`, now, timeZone).start.toISOString(),
    time_zone: zoneNameOf({ timeZone }),
  };
  const usage = useQuery(figureReportQueries.usage(useTenantApi(), range, customerId));
  const title = t('Events by day');
  if (usage.data !== undefined) {
    return (
      <Found
        title={title}
        usage={usage.data}
        choose={<DaysSelect label={t('Days of the events')} days={days} onChange={setDays} />}
      />
    );
  }
  return (
    <Panel title={title}>
      {usage.isError ? (
        <ErrorState error={usage.error} onRetry={() => void usage.refetch()} retrying={usage.isFetching} />
      ) : (
        <Loading label={t('Loading the events by day')}>
          <TextSkeleton lines={6} />
        </Loading>
      )}
    </Panel>
  );
}

function Found({ title, usage, choose }: { title: string; usage: EventUsage; choose: ReactNode }) {
  const number = numberFormat(useReader());
  const { total, by_day: byDay } = usage;
  return (
    <DayPanel
      title={title}
      rows={byDay.map(({ day, events, bytes }) => ({ day, values: { events, bytes } }))}
      series={[
        { name: 'events', label: t('Events'), color: 'var(--air-chart-1)', text: (value) => number.format(value) },
      ]}
      more={[{ name: 'bytes', label: t('Volume'), color: 'var(--air-chart-1)', text: fileSize }]}
      aside={choose}
      note={t('{events} and {volume} in all, counted by the time of the events.', {
        events: plural(total.events, '{count} event', '{count} events'),
        volume: fileSize(total.bytes),
      })}
    />
  );
}
