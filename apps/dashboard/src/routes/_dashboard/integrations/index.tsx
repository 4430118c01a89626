import { createFileRoute } from '@tanstack/react-router';
import { IntegrationsPage } from '../../../features/integrations/integrations-page.tsx';
import { integrationsSearch } from '../../../features/integrations/integrations-search.ts';
import { IntegrationsSkeleton } from '../../../features/integrations/integrations-skeleton.tsx';
import { connectorQueries } from '../../../queries/connectors.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/')({
  validateSearch: integrationsSearch,
  // The list is for everybody; detail and set-up are not (spec §6).
  beforeLoad: requireAccess('signedIn'),
  loader: ({ context }) => context.queryClient.ensureQueryData(connectorQueries.list(tenantApiOf(context))),
  pendingComponent: IntegrationsSkeleton,
  component: IntegrationsPage,
});
