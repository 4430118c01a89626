import { isUuid } from '@airdeck/domain/uuid';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { AutomationPage } from '../../../../../features/automation/automation-page.tsx';
import { AutomationSkeleton } from '../../../../../features/automation/automation-skeleton.tsx';
import { ruleResponseQueries } from '../../../../../queries/rule-responses.ts';
import { requireAccess } from '../../../../../session/access.ts';
import { tenantApiOf } from '../../../../../session/app-context.ts';

export const Route = createFileRoute('/_dashboard/air/automation-settings/$ruleId/$responseName')({
  beforeLoad: requireAccess('airAutomation'),
  loader: ({ context: { queryClient, ...context }, params: { ruleId, responseName } }) => {
    if (!isUuid(ruleId)) throw notFound();
    const key = { rule_id: ruleId.toLowerCase(), response_name: responseName };
    return queryClient.ensureQueryData(ruleResponseQueries.detail(tenantApiOf(context), key));
  },
  pendingComponent: AutomationSkeleton,
  component: AutomationPage,
});
