import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../language/translate.ts';
import { type Area, refusalFor } from '../../session/access.ts';
import { useSession } from '../../session/app-context.ts';
import { PanelTabs } from '../../ui/panel-tabs.tsx';

const screens = {
  log: { label: t('Log collection'), to: '/report/graylog', area: 'signedIn' },
  soar: { label: t('Automation'), to: '/report/soar', area: 'signedIn' },
  search: { label: t('Search reports'), to: '/report/air', area: 'searchReports' },
  executive: { label: t('Executive reports'), to: '/mdr/executive-reports', area: 'managedDetection' },
} as const satisfies Record<string, { label: string; to: string; area: Area }>;

export type ReportScreen = keyof typeof screens;

const order = Object.keys(screens) as ReportScreen[];

/** The way between the reports a person may see. */
export function ReportArea({ current, children }: { current: ReportScreen; children: ReactNode }) {
  const session = useSession();
  const navigate = useNavigate();
  const shown = order.filter((screen) => refusalFor(screens[screen].area, session) === undefined);
  return (
    <>
      <PanelTabs
        label={t('Reports')}
        menuLabel={t('Report')}
        panels={shown}
        labels={{
          log: screens.log.label,
          soar: screens.soar.label,
          search: screens.search.label,
          executive: screens.executive.label,
        }}
        current={current}
        link={(screen, props) => <Link to={screens[screen].to} {...props} />}
        onChoose={(screen) => void navigate({ to: screens[screen].to })}
      />
      {children}
    </>
  );
}
