import { createFileRoute } from '@tanstack/react-router';
import { CaseListPage } from '../../../../features/air/case-list-page.tsx';
import { caseListParams } from '../../../../features/air/case-list-query.ts';
import { caseListSearch } from '../../../../features/air/case-list-search.ts';
import { caseQueries } from '../../../../queries/cases.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/case-management/')({
  validateSearch: caseListSearch,
  loader: async ({ context, location, cause }) => {
    // On the screen, another filter is the list's own business: it keeps the old rows, and a failure stays in its place.
    if (cause === 'stay') return;
    const query = caseListParams(caseListSearch(location.search));
    await context.queryClient.ensureQueryData(caseQueries.list(tenantApiOf(context), query));
  },
  component: CaseListPage,
});
