import { createFileRoute } from '@tanstack/react-router';
import { ExportButton } from '../../../features/report/export-button.tsx';
import { eventSearch } from '../../../features/search/event-search.ts';
import { SearchPage } from '../../../features/search/search-page.tsx';
import { requireAccess } from '../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/search/')({
  validateSearch: eventSearch,
  beforeLoad: requireAccess('search'),
  component: () => <SearchPage actions={(selection) => <ExportButton search={selection} />} />,
});
