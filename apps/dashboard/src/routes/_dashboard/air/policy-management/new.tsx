import { createFileRoute } from '@tanstack/react-router';
import { EditorSkeleton } from '../../../../features/policies/editor/editor-skeleton.tsx';
import { NewPolicyPage } from '../../../../features/policies/editor/new-policy-page.tsx';
import { editorSearch } from '../../../../features/policies/policies-search.ts';
import { orNotFound } from '../../../../lib/or-not-found.ts';
import { policyQueries } from '../../../../queries/policies.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/policy-management/new')({
  validateSearch: editorSearch,
  beforeLoad: requireAccess('airAutomation'),
  loaderDeps: ({ search: { copy } }) => ({ copy }),
  loader: async ({ context, deps: { copy } }) => {
    if (copy === undefined) return undefined;
    const copied = policyQueries.detail(tenantApiOf(context), copy);
    return await context.queryClient.ensureQueryData(copied).catch(orNotFound);
  },
  // What is written must not begin anew because the copied policy was read again.
  shouldReload: false,
  pendingComponent: EditorSkeleton,
  component: NewPolicyPage,
});
