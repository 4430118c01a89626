import { ApiError } from '@airdeck/api-client/api-error';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { EditorSkeleton } from '../../../../features/policies/editor/editor-skeleton.tsx';
import { NewPolicyPage } from '../../../../features/policies/editor/new-policy-page.tsx';
import { editorSearch } from '../../../../features/policies/policies-search.ts';
import { policyQueries } from '../../../../queries/policies.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/policy-management/new')({
  validateSearch: editorSearch,
  beforeLoad: requireAccess('airAutomation'),
  loaderDeps: ({ search: { copy } }) => ({ copy }),
  loader: async ({ context, deps: { copy } }) => {
    if (copy === undefined) return undefined;
    try {
      return await context.queryClient.ensureQueryData(policyQueries.detail(tenantApiOf(context), copy));
    } catch (error) {
      throw error instanceof ApiError && error.status === 404 ? notFound() : error;
    }
  },
  // What is written must not begin anew because the copied policy was read again.
  shouldReload: false,
  pendingComponent: EditorSkeleton,
  component: NewPolicyPage,
});
