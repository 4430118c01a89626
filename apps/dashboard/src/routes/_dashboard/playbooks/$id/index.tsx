import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { PlaybookPage } from '../../../../features/playbooks/detail/playbook-page.tsx';
import { playbookSearch } from '../../../../features/playbooks/detail/playbook-search.ts';
import { PlaybookSkeleton } from '../../../../features/playbooks/detail/playbook-skeleton.tsx';
import { orNotFound } from '../../../../lib/or-not-found.ts';
import { actionQueries } from '../../../../queries/actions.ts';
import { playbookQueries } from '../../../../queries/playbooks.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/playbooks/$id/')({
  validateSearch: playbookSearch,
  beforeLoad: requireAccess('playbooks'),
  loader: async ({ context: { queryClient, ...context }, params: { id } }) => {
    if (!isUuid(id)) throw notFound();
    const tenantApi = tenantApiOf(context);
    await Promise.all([
      queryClient.ensureQueryData(playbookQueries.detail(tenantApi, queryClient, id.toLowerCase())),
      // Names that come late would make the graph and the list change under the reader's eyes.
      queryClient.prefetchQuery(actionQueries.list(tenantApi)),
    ]).catch(orNotFound);
  },
  pendingComponent: PlaybookSkeleton,
  component: PlaybookPage,
});
