import { createFileRoute } from '@tanstack/react-router';
import { ReportsPage } from '../../../features/report/reports-page.tsx';
import { reportsSearch } from '../../../features/report/reports-search.ts';
import { requireAccess } from '../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/report/air')({
  validateSearch: reportsSearch,
  beforeLoad: requireAccess('searchReports'),
  component: ReportsPage,
});
