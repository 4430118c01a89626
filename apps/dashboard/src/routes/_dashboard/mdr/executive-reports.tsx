import { createFileRoute } from '@tanstack/react-router';
import { ExecutivePage } from '../../../features/report/executive/executive-page.tsx';
import { executiveSearch } from '../../../features/report/executive/executive-search.ts';
import { requireAccess } from '../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/mdr/executive-reports')({
  validateSearch: executiveSearch,
  beforeLoad: requireAccess('managedDetection'),
  component: ExecutivePage,
});
