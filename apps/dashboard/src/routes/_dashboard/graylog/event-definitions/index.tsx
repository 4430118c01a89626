import { createFileRoute } from '@tanstack/react-router';
import { DefinitionsPage } from '../../../../features/graylog/definitions-page.tsx';
import { definitionsSearch } from '../../../../features/graylog/graylog-search.ts';

export const Route = createFileRoute('/_dashboard/graylog/event-definitions/')({
  validateSearch: definitionsSearch,
  component: DefinitionsPage,
});
