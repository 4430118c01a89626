import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { builderSearch } from '../../../../features/playbooks/builder/builder-search.ts';
import { BuilderSkeleton } from '../../../../features/playbooks/builder/builder-skeleton.tsx';
import { EditPlaybookPage } from '../../../../features/playbooks/builder/edit-playbook-page.tsx';
import { orNotFound } from '../../../../lib/or-not-found.ts';
import { actionQueries } from '../../../../queries/actions.ts';
import { draftQueries } from '../../../../queries/playbook-drafts.ts';
import { playbookQueries } from '../../../../queries/playbooks.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/playbooks/$id/edit')({
  validateSearch: builderSearch,
  beforeLoad: requireAccess('playbooks'),
  loader: async ({ context: { queryClient, ...context }, params: { id } }) => {
    if (!isUuid(id)) throw notFound();
    const tenantApi = tenantApiOf(context);
    const [draft] = await Promise.all([
      queryClient.fetchQuery(draftQueries.of(tenantApi, id.toLowerCase())),
      queryClient.prefetchQuery(playbookQueries.detail(tenantApi, queryClient, id.toLowerCase())),
      // Names that come late would make the graph change under one's eyes.
      queryClient.prefetchQuery(actionQueries.list(tenantApi)),
    ]).catch(orNotFound);
    return draft;
  },
  // What is edited is never taken from an earlier visit.
  gcTime: 0,
  shouldReload: false,
  pendingComponent: BuilderSkeleton,
  component: EditPlaybookPage,
});
