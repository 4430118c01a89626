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
    // Spec §6, prefetching: whoever may automate goes from tab to tab.
    const prefetches =
      cause !== 'stay' && refusalFor('graylogAutomation', sessionOf(context.session.get())) === undefined;
    if (prefetches) void queryClient.prefetchInfiniteQuery(automationRuleQueries.list(tenantApi, undefined));
    const connectors = await queryClient.ensureQueryData(connectorQueries.list(tenantApi));
    // Without a Graylog there is nobody to ask.
    if (!prefetches || graylogOf(connectors)?.enabled !== true) return;
    void queryClient.prefetchQuery(graylogQueries.definitions(tenantApi));
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
