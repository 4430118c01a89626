import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { IntegrationPage } from '../../../features/integrations/integration-page.tsx';
import { integrationSearch } from '../../../features/integrations/integrations-search.ts';
import { IntegrationSkeleton } from '../../../features/integrations/integrations-skeleton.tsx';
import { orNotFound } from '../../../lib/or-not-found.ts';
import { connectorQueries } from '../../../queries/connectors.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/$id')({
  validateSearch: integrationSearch,
  beforeLoad: requireAccess('integrations'),
  loader: async ({ context, params: { id } }) => {
    if (!isUuid(id)) throw notFound();
    await context.queryClient.ensureQueryData(connectorQueries.detail(tenantApiOf(context), id)).catch(orNotFound);
  },
  pendingComponent: IntegrationSkeleton,
  component: IntegrationPage,
});
