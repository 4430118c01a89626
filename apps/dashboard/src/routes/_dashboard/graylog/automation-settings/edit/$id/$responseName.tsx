import { createFileRoute, notFound } from '@tanstack/react-router';
import { EditResponsePage } from '../../../../../../features/graylog/edit-rule-page.tsx';
import { loadRule } from '../../../../../../features/graylog/load-rule.ts';
import { RuleSkeleton } from '../../../../../../features/graylog/rule-skeleton.tsx';
import { requireAccess } from '../../../../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/graylog/automation-settings/edit/$id/$responseName')({
  beforeLoad: requireAccess('graylogAutomation'),
  loader: async ({ context, params: { id, responseName } }) => {
    const rule = await loadRule(context, id);
    if (!rule.actions.responses.some(({ name }) => name === responseName)) throw notFound();
    return rule;
  },
  pendingComponent: RuleSkeleton,
  component: EditResponsePage,
});
