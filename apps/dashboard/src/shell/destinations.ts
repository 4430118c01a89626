import type { LinkProps } from '@tanstack/react-router';
import { t } from '../language/translate.ts';
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
  { label: t('All tenants'), to: '/overview', area: 'signedIn', severalTenants: true, words: t('provider customers') },
  { label: t('Home'), to: '/home', area: 'signedIn', key: 'h', words: t('dashboard widgets') },
  { label: t('Search'), to: '/search', area: 'search', key: 's', words: t('events logs query') },
  {
    label: t('Incident response overview'),
    to: '/air/overview',
    area: 'signedIn',
    key: 'o',
    words: t('mttd mttr figures'),
  },
  { label: t('Cases'), to: '/air/case-management', area: 'signedIn', key: 'c', words: t('alerts incidents') },
  { label: t('Policies'), to: '/air/policy-management', area: 'signedIn', key: 'p', words: t('rules detection sigma') },
  { label: t('New policy'), to: '/air/policy-management/new', area: 'airWork', words: t('create rule detection') },
  { label: t('Automation settings'), to: '/air/automation-settings', area: 'signedIn', words: t('responses rules') },
  { label: t('Graylog alerts'), to: '/graylog/alerts', area: 'signedIn', key: 'l', words: t('log management') },
  {
    label: t('Graylog triggered alerts'),
    to: '/graylog/triggered-alerts',
    area: 'signedIn',
    words: t('log management'),
  },
  {
    label: t('Graylog event definitions'),
    to: '/graylog/event-definitions',
    area: 'signedIn',
    words: t('log management'),
  },
  {
    label: t('Graylog automation settings'),
    to: '/graylog/automation-settings',
    area: 'graylogAutomation',
    words: t('log management'),
  },
  { label: t('Action runs'), to: '/activity/actions', area: 'signedIn', key: 'a', words: t('activity history') },
  { label: t('Playbook runs'), to: '/activity/playbooks', area: 'signedIn', key: 'r', words: t('activity history') },
  { label: t('Playbooks'), to: '/playbooks', area: 'playbooks', key: 'b', words: t('workflows automation') },
  { label: t('New playbook'), to: '/playbooks/new', area: 'playbooks', words: t('create workflow build') },
  { label: t('Action catalog'), to: '/actions', area: 'actions', words: t('run commands') },
  { label: t('Integrations'), to: '/integrations', area: 'signedIn', key: 'i', words: t('connectors systems') },
  { label: t('Event sources'), to: '/integrations/sources', area: 'eventSources', words: t('syslog ingest connect') },
  {
    label: t('New integration'),
    to: '/integrations/new',
    area: 'integrations',
    words: t('connect connector catalog'),
  },
  { label: t('Connect systems'), to: '/set-up', area: 'onboarding', words: t('wizard onboarding first steps') },
  {
    label: t('Log collection report'),
    to: '/report/graylog',
    area: 'signedIn',
    words: t('reports volume sources silent'),
  },
  {
    label: t('Automation report'),
    to: '/report/soar',
    area: 'signedIn',
    words: t('reports time saved actions playbooks'),
  },
  { label: t('Executive reports'), to: '/mdr/executive-reports', area: 'managedDetection', words: t('pdf month') },
  { label: t('Search reports'), to: '/report/air', area: 'searchReports', words: t('export csv') },
  {
    label: t('Profile'),
    to: '/settings/profile',
    area: 'signedIn',
    words: t('settings account password locale theme keys'),
  },
  {
    label: t('Notification settings'),
    to: '/settings/notifications',
    area: 'signedIn',
    words: t('mail webhook quiet'),
  },
  { label: t('Term dates'), to: '/settings/term-dates', area: 'termDates', words: t('contract billing seats') },
  {
    label: t('Contact directory'),
    to: '/settings/contact-directory',
    area: 'contactDirectory',
    words: t('escalation'),
  },
  tenantPanel('Users', 'users', t('invite role members')),
  tenantPanel(t('Tenant details'), 'details', 'name'),
  tenantPanel(t('Sign-in policy'), 'sign-in', t('sso mfa single sign-on')),
  tenantPanel(t('Data retention'), 'retention', 'days'),
  tenantPanel(t('Case times'), 'case-times', t('sla respond resolve')),
  tenantPanel(t('Own networks'), 'networks', t('private addresses egress')),
  tenantPanel('Brand', 'brand', t('logo color')),
  tenantPanel(t('Automation switch'), 'automation', t('kill stop')),
  tenantPanel(t('Audit log'), 'audit', t('history changes')),
  tenantPanel(t('Usage of the dashboard'), 'usage', t('page views errors')),
];

function tenantPanel(label: string, panel: string, words: string): Destination {
  return {
    label,
    to: '/settings/tenant-settings',
    search: { panel },
    area: 'tenantSettings',
    words: t('tenant settings {words}', { words }),
  };
}
