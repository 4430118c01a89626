import { createFileRoute } from '@tanstack/react-router';
import { figureReportSearch } from '../../../features/report/figures/figure-report-search.ts';
import { LogReportPage } from '../../../features/report/log/log-report-page.tsx';

export const Route = createFileRoute('/_dashboard/report/graylog')({
  validateSearch: figureReportSearch,
  component: LogReportPage,
});
