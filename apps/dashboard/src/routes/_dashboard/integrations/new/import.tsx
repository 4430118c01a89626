import { createFileRoute } from '@tanstack/react-router';
import { ImportPage } from '../../../../features/integrations/import/import-page.tsx';
import { importSearch } from '../../../../features/integrations/integrations-search.ts';
import { IntegrationSkeleton } from '../../../../features/integrations/integrations-skeleton.tsx';
import { importedQueries } from '../../../../queries/openapi.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/new/import')({
  validateSearch: importSearch,
  beforeLoad: requireAccess('integrations'),
  loader: ({ context }) => context.queryClient.ensureQueryData(importedQueries.list(tenantApiOf(context))),
  pendingComponent: IntegrationSkeleton,
  component: ImportPage,
});
