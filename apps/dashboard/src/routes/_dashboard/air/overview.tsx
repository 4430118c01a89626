import { createFileRoute } from '@tanstack/react-router';
import { AirOverviewPage } from '../../../features/air-overview/air-overview-page.tsx';
import { overviewSearch } from '../../../features/air-overview/overview-range.ts';

export const Route = createFileRoute('/_dashboard/air/overview')({
  validateSearch: overviewSearch,
  component: AirOverviewPage,
});
