import { createFileRoute } from '@tanstack/react-router';
import { CaseListPage } from '../../../../features/air/case-list-page.tsx';
import { caseListSearch } from '../../../../features/air/case-list-search.ts';

export const Route = createFileRoute('/_dashboard/air/case-management/')({
  validateSearch: caseListSearch,
  component: CaseListPage,
});
