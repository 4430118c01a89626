import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { CasePage } from '../../../../features/air/case/case-page.tsx';
import { caseSearch } from '../../../../features/air/case/case-search.ts';
import { CaseSkeleton } from '../../../../features/air/case/case-skeleton.tsx';
import { orNotFound } from '../../../../lib/or-not-found.ts';
import { caseQueries } from '../../../../queries/cases.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/case-management/$id')({
  validateSearch: caseSearch,
  loader: async ({ context, params: { id } }) => {
    if (!isUuid(id)) throw notFound();
    const detail = caseQueries.detail(tenantApiOf(context), id.toLowerCase());
    await context.queryClient.ensureQueryData(detail).catch(orNotFound);
  },
  pendingComponent: CaseSkeleton,
  component: CasePage,
});
