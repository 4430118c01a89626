import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, getRouteApi, notFound } from '@tanstack/react-router';
import { RunPage } from '../../../../features/activity/run/run-page.tsx';
import { runSearch } from '../../../../features/activity/run/run-search.ts';
import { RunSkeleton } from '../../../../features/activity/run/run-skeleton.tsx';
import { orNotFound } from '../../../../lib/or-not-found.ts';
import { actionQueries } from '../../../../queries/actions.ts';
import { runQueries } from '../../../../queries/activity.ts';
import { refusalFor } from '../../../../session/access.ts';
import { tenantApiOf } from '../../../../session/app-context.ts';
import { sessionOf } from '../../../../session/session-store.ts';

export const Route = createFileRoute('/_dashboard/activity/playbooks/$id')({
  validateSearch: runSearch,
  beforeLoad: ({ params }) => {
    if (!isUuid(params.id)) throw notFound();
  },
  loader: async ({ context: { queryClient, ...context }, params }) => {
    const tenantApi = tenantApiOf(context);
    const seesNames = refusalFor('actions', sessionOf(context.session.get())) === undefined;
    await Promise.all([
      queryClient.ensureQueryData(runQueries.detail(tenantApi, params.id.toLowerCase())),
      // Names that come late would make the graph and the list change under the reader's eyes.
      seesNames ? queryClient.prefetchQuery(actionQueries.list(tenantApi)) : undefined,
    ]).catch(orNotFound);
  },
  pendingComponent: RunSkeleton,
  component: PlaybookRun,
});

// Not `Route` itself: naming it here would tie this screen's chunk to the first one.
const route = getRouteApi('/_dashboard/activity/playbooks/$id');

function PlaybookRun() {
  const id = route.useParams().id.toLowerCase();
  // What was opened in one run says nothing about another.
  return <RunPage key={id} id={id} search={route.useSearch()} />;
}
