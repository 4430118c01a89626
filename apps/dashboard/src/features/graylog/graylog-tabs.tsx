import { AreaTabs } from '../../components/area-tabs/area-tabs.tsx';
import { useAccess } from '../../session/access.ts';

/** Tabs of the area (spec §2); the last one for whoever may use it. */
const tabs = [
  { label: 'Alerts', to: '/graylog/alerts' },
  { label: 'Triggered alerts', to: '/graylog/triggered-alerts' },
  { label: 'Event definitions', to: '/graylog/event-definitions' },
] as const;
const automationTab = { label: 'Automation settings', to: '/graylog/automation-settings' } as const;

export function GraylogTabs() {
  const { allowed } = useAccess('graylogAutomation');
  return <AreaTabs label="Log management" tabs={allowed ? [...tabs, automationTab] : tabs} />;
}
