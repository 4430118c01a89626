import { createFileRoute } from '@tanstack/react-router';
import { figureReportSearch } from '../../../features/report/figures/figure-report-search.ts';
import { SoarReportPage } from '../../../features/report/soar/soar-report-page.tsx';

export const Route = createFileRoute('/_dashboard/report/soar')({
  validateSearch: figureReportSearch,
  component: SoarReportPage,
});
