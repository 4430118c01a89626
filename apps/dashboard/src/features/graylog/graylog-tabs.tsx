import { AreaTabs } from '../../components/area-tabs/area-tabs.tsx';
import { t } from '../../language/translate.ts';
import { useAccess } from '../../session/access.ts';

/** Tabs of the area (spec §2); the last one for whoever may use it. */
const tabs = [
  { label: t('Alerts'), to: '/graylog/alerts' },
  { label: t('Triggered alerts'), to: '/graylog/triggered-alerts' },
  { label: t('Event definitions'), to: '/graylog/event-definitions' },
] as const;
const automationTab = { label: t('Automation settings'), to: '/graylog/automation-settings' } as const;

export function GraylogTabs() {
  const { allowed } = useAccess('graylogAutomation');
  return <AreaTabs label={t('Log management')} tabs={allowed ? [...tabs, automationTab] : tabs} />;
}
