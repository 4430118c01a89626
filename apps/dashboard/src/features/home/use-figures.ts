import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type DashboardSpan, dashboardQueries } from '../../queries/dashboards.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { useReader } from '../../ui/reader.ts';

/** Figures of a span. Widgets of the same span share one call; those of another keep theirs, dimmed, until it answers. */
export function useFigures(span: DashboardSpan) {
  const { timeZone } = useReader();
  return useQuery({ ...dashboardQueries.get(useTenantApi(), { span, timeZone }), placeholderData: keepPreviousData });
}

/** What the figures are compared with; undefined until known, as it only adds to them. */
export function useFiguresBefore(span: DashboardSpan) {
  const { timeZone } = useReader();
  return useQuery(dashboardQueries.before(useTenantApi(), { span, timeZone })).data;
}

/** When the oldest of the figures shown were read; undefined until all have been. */
export function useFiguresAge(spans: readonly DashboardSpan[]): number | undefined {
  const tenantApi = useTenantApi();
  const { timeZone } = useReader();
  const different = new Map(spans.map((span) => [JSON.stringify(span), span]));
  return useQueries({
    queries: [...different.values()].map((span) => dashboardQueries.get(tenantApi, { span, timeZone })),
    combine: oldest,
  });
}

function oldest(answers: readonly { dataUpdatedAt: number }[]): number | undefined {
  const time = Math.min(...answers.map(({ dataUpdatedAt }) => dataUpdatedAt));
  return time > 0 && Number.isFinite(time) ? time : undefined;
}
