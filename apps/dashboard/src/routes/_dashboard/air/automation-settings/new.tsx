import { createFileRoute } from '@tanstack/react-router';
import { newAutomationSearch } from '../../../../features/automation/automation-search.ts';
import { NewAutomationPage } from '../../../../features/automation/new-automation-page.tsx';
import { requireAccess } from '../../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/air/automation-settings/new')({
  validateSearch: newAutomationSearch,
  beforeLoad: requireAccess('airAutomation'),
  component: NewAutomationPage,
});
