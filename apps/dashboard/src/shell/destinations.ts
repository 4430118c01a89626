import type { LinkProps } from '@tanstack/react-router';
import type { Area } from '../session/access.ts';

/** A place of the dashboard that can be jumped to by name. */
export type Destination = {
  readonly label: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly search?: Readonly<Record<string, string>>;
  /** Other words people look for it by. */
  readonly words?: string;
  readonly area: Area;
  /** Only for people who work in more than one tenant. */
  readonly severalTenants?: true;
  /** Second key after `g`. */
  readonly key?: string;
};

/** Screens by area, in the order of the rail. */
export const destinations: readonly Destination[] = [
  { label: 'All tenants', to: '/overview', area: 'signedIn', severalTenants: true, words: 'provider customers' },
  { label: 'Home', to: '/home', area: 'signedIn', key: 'h', words: 'dashboard widgets' },
  { label: 'Search', to: '/search', area: 'search', key: 's', words: 'events logs query' },
  { label: 'Incident response overview', to: '/air/overview', area: 'signedIn', key: 'o', words: 'mttd mttr figures' },
  { label: 'Cases', to: '/air/case-management', area: 'signedIn', key: 'c', words: 'alerts incidents' },
  { label: 'Policies', to: '/air/policy-management', area: 'signedIn', key: 'p', words: 'rules detection sigma' },
  { label: 'New policy', to: '/air/policy-management/new', area: 'airWork', words: 'create rule detection' },
  { label: 'Automation settings', to: '/air/automation-settings', area: 'signedIn', words: 'responses rules' },
  { label: 'Graylog alerts', to: '/graylog/alerts', area: 'signedIn', key: 'l', words: 'log management' },
  { label: 'Graylog triggered alerts', to: '/graylog/triggered-alerts', area: 'signedIn', words: 'log management' },
  { label: 'Graylog event definitions', to: '/graylog/event-definitions', area: 'signedIn', words: 'log management' },
  {
    label: 'Graylog automation settings',
    to: '/graylog/automation-settings',
    area: 'graylogAutomation',
    words: 'log management',
  },
  { label: 'Action runs', to: '/activity/actions', area: 'signedIn', key: 'a', words: 'activity history' },
  { label: 'Playbook runs', to: '/activity/playbooks', area: 'signedIn', key: 'r', words: 'activity history' },
  { label: 'Playbooks', to: '/playbooks', area: 'playbooks', key: 'b', words: 'workflows automation' },
  { label: 'New playbook', to: '/playbooks/new', area: 'playbooks', words: 'create workflow build' },
  { label: 'Action catalogue', to: '/actions', area: 'actions', words: 'run commands' },
  { label: 'Integrations', to: '/integrations', area: 'signedIn', key: 'i', words: 'connectors systems' },
  { label: 'Event sources', to: '/integrations/sources', area: 'eventSources', words: 'syslog ingest connect' },
  { label: 'New integration', to: '/integrations/new', area: 'integrations', words: 'connect connector catalogue' },
  { label: 'Connect systems', to: '/set-up', area: 'onboarding', words: 'wizard onboarding first steps' },
  { label: 'Log collection report', to: '/report/graylog', area: 'signedIn', words: 'reports volume sources silent' },
  { label: 'Automation report', to: '/report/soar', area: 'signedIn', words: 'reports time saved actions playbooks' },
  { label: 'Executive reports', to: '/mdr/executive-reports', area: 'managedDetection', words: 'pdf month' },
  { label: 'Search reports', to: '/report/air', area: 'searchReports', words: 'export csv' },
  { label: 'Profile', to: '/settings/profile', area: 'signedIn', words: 'settings account password locale theme keys' },
  { label: 'Notification settings', to: '/settings/notifications', area: 'signedIn', words: 'mail webhook quiet' },
  { label: 'Term dates', to: '/settings/term-dates', area: 'termDates', words: 'contract billing seats' },
  { label: 'Contact directory', to: '/settings/contact-directory', area: 'contactDirectory', words: 'escalation' },
  tenantPanel('Users', 'users', 'invite role members'),
  tenantPanel('Tenant details', 'details', 'name'),
  tenantPanel('Sign-in policy', 'sign-in', 'sso mfa single sign-on'),
  tenantPanel('Data retention', 'retention', 'days'),
  tenantPanel('Case times', 'case-times', 'sla respond resolve'),
  tenantPanel('Own networks', 'networks', 'private addresses egress'),
  tenantPanel('Brand', 'brand', 'logo colour'),
  tenantPanel('Automation switch', 'automation', 'kill stop'),
  tenantPanel('Audit log', 'audit', 'history changes'),
  tenantPanel('Usage of the dashboard', 'usage', 'page views errors'),
];

function tenantPanel(label: string, panel: string, words: string): Destination {
  return {
    label,
    to: '/settings/tenant-settings',
    search: { panel },
    area: 'tenantSettings',
    words: `tenant settings ${words}`,
  };
}
