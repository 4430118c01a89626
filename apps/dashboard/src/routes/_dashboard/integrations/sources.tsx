import { createFileRoute } from '@tanstack/react-router';
import { SourcesPage } from '../../../features/sources/sources-page.tsx';
import { sourcesSearch } from '../../../features/sources/sources-search.ts';
import { SourcesSkeleton } from '../../../features/sources/sources-skeleton.tsx';
import { sourceQueries } from '../../../queries/sources.ts';
import { requireAccess } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/integrations/sources')({
  validateSearch: sourcesSearch,
  beforeLoad: requireAccess('eventSources'),
  loader: ({ context }) => context.queryClient.ensureQueryData(sourceQueries.list(tenantApiOf(context))),
  pendingComponent: SourcesSkeleton,
  component: SourcesPage,
});
