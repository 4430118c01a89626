import { createFileRoute } from '@tanstack/react-router';
import { IntegrationSkeleton } from '../../../../features/integrations/integrations-skeleton.tsx';
import { NewIntegrationPage } from '../../../../features/integrations/new-integration-page.tsx';
import { orNotFound } from '../../../../lib/or-not-found.ts';
import { connectorQueries } from '../../../../queries/connectors.ts';
import { integrationQueries } from '../../../../queries/integrations.ts';
import { requireAccess } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/new/$id')({
  beforeLoad: requireAccess('integrations'),
  loader: async ({ context, params: { id } }) => {
    const tenantApi = tenantApiOf(context);
    await Promise.all([
      context.queryClient.ensureQueryData(integrationQueries.detail(tenantApi, id)),
      // For a name that is still free.
      context.queryClient.ensureQueryData(connectorQueries.list(tenantApi)),
    ]).catch(orNotFound);
  },
  pendingComponent: IntegrationSkeleton,
  component: NewIntegrationPage,
});
