import { ApiError } from '@airdeck/api-client/api-error';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { IntegrationSkeleton } from '../../../../features/integrations/integrations-skeleton.tsx';
import { NewIntegrationPage } from '../../../../features/integrations/new-integration-page.tsx';
import { connectorQueries } from '../../../../queries/connectors.ts';
import { integrationQueries } from '../../../../queries/integrations.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/new/$id')({
  beforeLoad: requireAccess('integrations'),
  loader: async ({ context, params: { id } }) => {
    const tenantApi = tenantApiOf(context);
    try {
      await Promise.all([
        context.queryClient.ensureQueryData(integrationQueries.detail(tenantApi, id)),
        // For a name that is still free.
        context.queryClient.ensureQueryData(connectorQueries.list(tenantApi)),
      ]);
    } catch (error) {
      throw error instanceof ApiError && error.status === 404 ? notFound() : error;
    }
  },
  pendingComponent: IntegrationSkeleton,
  component: NewIntegrationPage,
});
