import { createFileRoute, Outlet } from '@tanstack/react-router';
import { graylogOf } from '../../../features/graylog/graylog-connector.ts';
import { GraylogTabs } from '../../../features/graylog/graylog-tabs.tsx';
import { automationRuleQueries } from '../../../queries/automation-rules.ts';
import { connectorQueries } from '../../../queries/connectors.ts';
import { graylogQueries } from '../../../queries/graylog.ts';
import { refusalFor } from '../../../session/access.ts';
import { tenantApiOf } from '../../../session/app-context.ts';
import { sessionOf } from '../../../session/session-store.ts';

export const Route = createFileRoute('/_dashboard/graylog')({
  loader: async ({ context, cause }) => {
    const { queryClient } = context;
    const tenantApi = tenantApiOf(context);
    const connectors = await queryClient.ensureQueryData(connectorQueries.list(tenantApi));
    // Spec §6, prefetching: whoever may automate goes from tab to tab. Without a Graylog there is nobody to ask.
    const refused = refusalFor('graylogAutomation', sessionOf(context.session.get()));
    if (cause === 'stay' || refused !== undefined || graylogOf(connectors)?.enabled !== true) return;
    void queryClient.prefetchQuery(graylogQueries.definitions(tenantApi));
    void queryClient.prefetchInfiniteQuery(automationRuleQueries.list(tenantApi, undefined));
  },
  component: LogManagement,
});

function LogManagement() {
  return (
    <>
      <GraylogTabs />
      <Outlet />
    </>
  );
}
