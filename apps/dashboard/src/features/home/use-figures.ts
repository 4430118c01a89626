import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type DashboardSpan, dashboardQueries } from '../../queries/dashboards.ts';
import { useTenantApi } from '../../session/app-context.ts';

/** Figures of a span. Widgets of the same span share one call; those of another keep theirs, dimmed, until it answers. */
export function useFigures(span: DashboardSpan) {
  return useQuery({ ...dashboardQueries.get(useTenantApi(), span), placeholderData: keepPreviousData });
}

/** What the figures are compared with; undefined until known, as it only adds to them. */
export function useFiguresBefore(span: DashboardSpan) {
  return useQuery(dashboardQueries.before(useTenantApi(), span)).data;
}
