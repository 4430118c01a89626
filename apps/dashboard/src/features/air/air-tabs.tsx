import { AreaTabs } from '../../components/area-tabs/area-tabs.tsx';
import { t } from '../../language/translate.ts';

/** Tabs of the area (spec §2); each joins with its screen. */
const airTabs = [
  { label: t('Overview'), to: '/air/overview' },
  { label: t('Case management'), to: '/air/case-management' },
  { label: t('Policy management'), to: '/air/policy-management' },
  { label: t('Automation settings'), to: '/air/automation-settings' },
] as const;

export function AirTabs() {
  return <AreaTabs label={t('Incident response')} tabs={airTabs} />;
}
