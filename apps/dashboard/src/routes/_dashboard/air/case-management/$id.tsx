import { createFileRoute } from '@tanstack/react-router';
import { CasePage } from '../../../../features/air/case/case-page.tsx';
import { caseSearch } from '../../../../features/air/case/case-search.ts';
import { CaseSkeleton } from '../../../../features/air/case/case-skeleton.tsx';
import { caseQueries } from '../../../../queries/cases.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/case-management/$id')({
  validateSearch: caseSearch,
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(caseQueries.detail(tenantApiOf(context), params.id)),
  pendingComponent: CaseSkeleton,
  component: CasePage,
});
