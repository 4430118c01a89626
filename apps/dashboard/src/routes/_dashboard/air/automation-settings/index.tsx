import { createFileRoute } from '@tanstack/react-router';
import { AutomationListPage } from '../../../../features/automation/automation-list-page.tsx';
import { automationListSearch } from '../../../../features/automation/automation-search.ts';

export const Route = createFileRoute('/_dashboard/air/automation-settings/')({
  validateSearch: automationListSearch,
  component: AutomationListPage,
});
