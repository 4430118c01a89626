import { createFileRoute } from '@tanstack/react-router';
import { CataloguePage } from '../../../../features/integrations/catalogue-page.tsx';
import { catalogueSearch } from '../../../../features/integrations/integrations-search.ts';
import { IntegrationsSkeleton } from '../../../../features/integrations/integrations-skeleton.tsx';
import { integrationQueries } from '../../../../queries/integrations.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/new/')({
  validateSearch: catalogueSearch,
  beforeLoad: requireAccess('integrations'),
  loader: ({ context }) => context.queryClient.ensureQueryData(integrationQueries.list(tenantApiOf(context))),
  pendingComponent: IntegrationsSkeleton,
  component: CataloguePage,
});
