import { AreaTabs } from '../../components/area-tabs/area-tabs.tsx';

/** Tabs of the area (spec §2); each joins with its screen. */
const airTabs = [
  { label: 'Overview', to: '/air/overview' },
  { label: 'Case management', to: '/air/case-management' },
  { label: 'Policy management', to: '/air/policy-management' },
  { label: 'Automation settings', to: '/air/automation-settings' },
] as const;

export function AirTabs() {
  return <AreaTabs label="Incident response" tabs={airTabs} />;
}
