import {
  IconActivity,
  IconBellRinging,
  IconBolt,
  IconBuildings,
  IconHistory,
  IconHome,
  IconPlug,
  IconPlugConnected,
  IconReport,
  IconReportAnalytics,
  IconRoute,
  IconSearch,
  IconSettings,
  IconShieldHalf,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
import type { Area } from '../session/access.ts';

export type NavItem = {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  /** What the addresses of all its screens begin with, where that is not `to`. */
  readonly within?: string;
  readonly icon: typeof IconHome;
  /** Absent for those who may not enter. */
  readonly area: Area;
  /** Only for people who work in more than one tenant. */
  readonly severalTenants?: true;
};

export type NavGroup = { readonly label: string | undefined; readonly items: readonly NavItem[] };

/** The rail, top to bottom. A new area adds its line here. */
export const navGroups: readonly NavGroup[] = [
  {
    label: undefined,
    items: [
      { label: t('All tenants'), to: '/overview', icon: IconBuildings, area: 'signedIn', severalTenants: true },
      { label: t('Home'), to: '/home', icon: IconHome, area: 'signedIn' },
      { label: t('Search'), to: '/search', icon: IconSearch, area: 'search' },
    ],
  },
  {
    label: t('Incident response'),
    items: [{ label: t('Cases'), to: '/air/case-management', within: '/air', icon: IconShieldHalf, area: 'signedIn' }],
  },
  {
    label: t('Log management'),
    items: [{ label: t('Alerts'), to: '/graylog/alerts', within: '/graylog', icon: IconBellRinging, area: 'signedIn' }],
  },
  {
    label: t('Activity'),
    items: [
      { label: t('Action runs'), to: '/activity/actions', icon: IconActivity, area: 'signedIn' },
      { label: t('Playbook runs'), to: '/activity/playbooks', icon: IconHistory, area: 'signedIn' },
    ],
  },
  {
    label: t('Systems'),
    items: [{ label: t('Integrations'), to: '/integrations', icon: IconPlug, area: 'signedIn' }],
  },
  {
    label: t('Automation'),
    items: [
      { label: t('Playbooks'), to: '/playbooks', icon: IconRoute, area: 'playbooks' },
      { label: t('Action catalog'), to: '/actions', icon: IconBolt, area: 'actions' },
    ],
  },
  {
    label: t('Reports'),
    items: [
      { label: t('Reports'), to: '/report/graylog', within: '/report', icon: IconReport, area: 'signedIn' },
      {
        label: t('Executive reports'),
        to: '/mdr/executive-reports',
        within: '/mdr',
        icon: IconReportAnalytics,
        area: 'managedDetection',
      },
    ],
  },
];

/** At the bottom of the rail, apart from the areas of work. */
export const footItems: readonly NavItem[] = [
  { label: t('Connect systems'), to: '/set-up', icon: IconPlugConnected, area: 'onboarding' },
  { label: t('Settings'), to: '/settings', icon: IconSettings, area: 'signedIn' },
];

/** Whether an address is of an item's area, whichever of its screens it is. */
export function isWithin({ to, within = to }: Pick<NavItem, 'to' | 'within'>, pathname: string): boolean {
  return pathname === within || pathname.startsWith(`${within}/`);
}
