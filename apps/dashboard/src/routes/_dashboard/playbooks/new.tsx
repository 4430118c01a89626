import { createFileRoute } from '@tanstack/react-router';
import { newPlaybookSearch } from '../../../features/playbooks/builder/builder-search.ts';
import { NewPlaybookPage } from '../../../features/playbooks/builder/new-playbook-page.tsx';
import { playbookQueries } from '../../../queries/playbooks.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/playbooks/new')({
  validateSearch: newPlaybookSearch,
  beforeLoad: requireAccess('playbooks'),
  loader: ({ context: { queryClient, ...context } }) =>
    queryClient.prefetchQuery(playbookQueries.list(tenantApiOf(context))),
  component: NewPlaybookPage,
});
