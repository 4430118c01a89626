import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../../features/overview/overview-page.tsx';
import { overviewSearch } from '../../features/overview/overview-search.ts';
import { overviewQueries } from '../../queries/overview.ts';

export const Route = createFileRoute('/_dashboard/overview')({
  validateSearch: overviewSearch,
  loader: ({ context }) => context.queryClient.ensureQueryData(overviewQueries.list(context.api)),
  component: OverviewPage,
});
