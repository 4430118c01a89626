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
      { label: 'All tenants', to: '/overview', icon: IconBuildings, area: 'signedIn', severalTenants: true },
      { label: 'Home', to: '/home', icon: IconHome, area: 'signedIn' },
      { label: 'Search', to: '/search', icon: IconSearch, area: 'search' },
    ],
  },
  {
    label: 'Incident response',
    items: [{ label: 'Cases', to: '/air/case-management', within: '/air', icon: IconShieldHalf, area: 'signedIn' }],
  },
  {
    label: 'Log management',
    items: [{ label: 'Alerts', to: '/graylog/alerts', within: '/graylog', icon: IconBellRinging, area: 'signedIn' }],
  },
  {
    label: 'Activity',
    items: [
      { label: 'Action runs', to: '/activity/actions', icon: IconActivity, area: 'signedIn' },
      { label: 'Playbook runs', to: '/activity/playbooks', icon: IconHistory, area: 'signedIn' },
    ],
  },
  {
    label: 'Systems',
    items: [{ label: 'Integrations', to: '/integrations', icon: IconPlug, area: 'signedIn' }],
  },
  {
    label: 'Automation',
    items: [
      { label: 'Playbooks', to: '/playbooks', icon: IconRoute, area: 'playbooks' },
      { label: 'Action catalogue', to: '/actions', icon: IconBolt, area: 'actions' },
    ],
  },
  {
    label: 'Reports',
    items: [
      { label: 'Reports', to: '/report/graylog', within: '/report', icon: IconReport, area: 'signedIn' },
      {
        label: 'Executive reports',
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
  { label: 'Connect systems', to: '/set-up', icon: IconPlugConnected, area: 'onboarding' },
  { label: 'Settings', to: '/settings', icon: IconSettings, area: 'signedIn' },
];

/** Whether an address is of an item's area, whichever of its screens it is. */
export function isWithin({ to, within = to }: Pick<NavItem, 'to' | 'within'>, pathname: string): boolean {
  return pathname === within || pathname.startsWith(`${within}/`);
}
