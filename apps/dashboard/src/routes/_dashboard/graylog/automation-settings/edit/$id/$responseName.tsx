import { createFileRoute } from '@tanstack/react-router';
import { EditResponsePage } from '../../../../../../features/graylog/edit-rule-page.tsx';
import { loadResponse } from '../../../../../../features/graylog/load-rule.ts';
import { RuleSkeleton } from '../../../../../../features/graylog/rule-skeleton.tsx';
import { requireAccess } from '../../../../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/graylog/automation-settings/edit/$id/$responseName')({
  beforeLoad: requireAccess('graylogAutomation'),
  loader: ({ context, params: { id, responseName } }) => loadResponse(context, id, responseName),
  pendingComponent: RuleSkeleton,
  component: EditResponsePage,
});
