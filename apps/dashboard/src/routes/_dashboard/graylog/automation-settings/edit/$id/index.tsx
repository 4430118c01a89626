import { createFileRoute } from '@tanstack/react-router';
import { EditRulePage } from '../../../../../../features/graylog/edit-rule-page.tsx';
import { loadRule } from '../../../../../../features/graylog/load-rule.ts';
import { RuleSkeleton } from '../../../../../../features/graylog/rule-skeleton.tsx';
import { requireAccess } from '../../../../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/graylog/automation-settings/edit/$id/')({
  beforeLoad: requireAccess('graylogAutomation'),
  loader: ({ context, params: { id } }) => loadRule(context, id),
  pendingComponent: RuleSkeleton,
  component: EditRulePage,
});
