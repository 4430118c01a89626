import { createFileRoute } from '@tanstack/react-router';
import { newRuleSearch } from '../../../../features/graylog/graylog-search.ts';
import { NewRulePage } from '../../../../features/graylog/new-rule-page.tsx';
import { requireAccess } from '../../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/graylog/automation-settings/new')({
  validateSearch: newRuleSearch,
  beforeLoad: requireAccess('graylogAutomation'),
  component: NewRulePage,
});
