import { createFileRoute } from '@tanstack/react-router';
import { rulesSearch } from '../../../../features/graylog/graylog-search.ts';
import { RulesPage } from '../../../../features/graylog/rules-page.tsx';
import { requireAccess } from '../../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/graylog/automation-settings/')({
  validateSearch: rulesSearch,
  beforeLoad: requireAccess('graylogAutomation'),
  component: RulesPage,
});
