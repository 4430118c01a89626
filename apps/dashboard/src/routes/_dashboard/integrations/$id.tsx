import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, type ErrorComponentProps, notFound } from '@tanstack/react-router';
import { IntegrationGone } from '../../../features/integrations/integration-gone.tsx';
import { IntegrationPage } from '../../../features/integrations/integration-page.tsx';
import { integrationSearch } from '../../../features/integrations/integrations-search.ts';
import { IntegrationSkeleton } from '../../../features/integrations/integrations-skeleton.tsx';
import { isNotFound } from '../../../lib/or-not-found.ts';
import { connectorQueries } from '../../../queries/connectors.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';
import { ErrorPage } from '../../../shell/error-page.tsx';

export const Route = createFileRoute('/_dashboard/integrations/$id')({
  validateSearch: integrationSearch,
  beforeLoad: requireAccess('integrations'),
  loader: async ({ context, params: { id } }) => {
    if (!isUuid(id)) throw notFound();
    await context.queryClient.ensureQueryData(connectorQueries.detail(tenantApiOf(context), id.toLowerCase()));
  },
  pendingComponent: IntegrationSkeleton,
  component: IntegrationPage,
  errorComponent: IntegrationProblem,
});

/** One that is gone is no error of the page. */
function IntegrationProblem(props: ErrorComponentProps) {
  return isNotFound(props.error) ? <IntegrationGone /> : <ErrorPage {...props} />;
}
