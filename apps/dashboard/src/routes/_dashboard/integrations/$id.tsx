import { ApiError } from '@airdeck/api-client/api-error';
import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { IntegrationPage } from '../../../features/integrations/integration-page.tsx';
import { integrationSearch } from '../../../features/integrations/integrations-search.ts';
import { IntegrationSkeleton } from '../../../features/integrations/integrations-skeleton.tsx';
import { connectorQueries } from '../../../queries/connectors.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/$id')({
  validateSearch: integrationSearch,
  beforeLoad: requireAccess('integrations'),
  loader: async ({ context, params: { id } }) => {
    if (!isUuid(id)) throw notFound();
    try {
      await context.queryClient.ensureQueryData(connectorQueries.detail(tenantApiOf(context), id));
    } catch (error) {
      throw error instanceof ApiError && error.status === 404 ? notFound() : error;
    }
  },
  pendingComponent: IntegrationSkeleton,
  component: IntegrationPage,
});
