import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { EditPolicyPage } from '../../../../../features/policies/editor/edit-policy-page.tsx';
import { EditorSkeleton } from '../../../../../features/policies/editor/editor-skeleton.tsx';
import { editorSearch } from '../../../../../features/policies/policies-search.ts';
import { orNotFound } from '../../../../../lib/or-not-found.ts';
import { policyQueries } from '../../../../../queries/policies.ts';
import { requireAccess } from '../../../../../session/access.ts';
import { tenantApiOf } from '../../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/policy-management/$id/edit')({
  validateSearch: editorSearch,
  beforeLoad: requireAccess('airAutomation'),
  loader: async ({ context, params: { id } }) => {
    if (!isUuid(id)) throw notFound();
    const policy = policyQueries.detail(tenantApiOf(context), id.toLowerCase());
    return await context.queryClient.fetchQuery({ ...policy, staleTime: 0 }).catch(orNotFound);
  },
  // What is edited is never taken from an earlier visit.
  gcTime: 0,
  shouldReload: false,
  pendingComponent: EditorSkeleton,
  component: EditPolicyPage,
});
