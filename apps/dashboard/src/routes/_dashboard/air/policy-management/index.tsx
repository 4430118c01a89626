import { createFileRoute } from '@tanstack/react-router';
import { PoliciesPage } from '../../../../features/policies/list/policies-page.tsx';
import { policiesParams, policiesSearch } from '../../../../features/policies/policies-search.ts';
import { policyQueries } from '../../../../queries/policies.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/policy-management/')({
  validateSearch: policiesSearch,
  loader: async ({ context, location, cause }) => {
    // On the screen, another filter is the list's own business: it keeps the old rows, and a failure stays in its place.
    if (cause === 'stay') return;
    const query = policiesParams(policiesSearch(location.search));
    await context.queryClient.ensureQueryData(policyQueries.list(tenantApiOf(context), query));
  },
  component: PoliciesPage,
});
