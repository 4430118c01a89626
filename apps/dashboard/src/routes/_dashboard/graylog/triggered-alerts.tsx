import { createFileRoute } from '@tanstack/react-router';
import { triggeredAlertsSearch } from '../../../features/graylog/graylog-search.ts';
import { TriggeredAlertsPage } from '../../../features/graylog/triggered-alerts-page.tsx';

export const Route = createFileRoute('/_dashboard/graylog/triggered-alerts')({
  validateSearch: triggeredAlertsSearch,
  component: TriggeredAlertsPage,
});
