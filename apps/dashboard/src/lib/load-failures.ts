import { known } from '../language/translate.ts';

/** What a screen says when its data does not load (spec §8), by query name. */
const refresh = 'Please refresh and try again.';

export const loadFailures = {
  actions: { what: 'Unable to load Actions', advice: refresh },
  actionDetails: { what: 'Unable to load action details', advice: refresh },
  activityList: { what: 'Unable to load Activity list', advice: refresh },
  playbookActivityList: { what: 'Unable to load Activity list for playbooks', advice: refresh },
  activityDetails: { what: 'Unable to load Activity details', advice: refresh },
  activityStatus: { what: 'Unable to load Activity status', advice: refresh },
  playbooks: { what: 'Unable to load playbooks', advice: refresh },
  playbookInfo: { what: 'Unable to load playbook info', advice: refresh },
  playbookVersions: { what: 'Unable to load the versions of this playbook', advice: refresh },
  playbookUse: { what: 'Unable to load what uses this playbook', advice: refresh },
  playbookDraft: { what: 'Unable to load the draft of this playbook', advice: refresh },
  playbookYaml: { what: 'Unable to load this playbook as YAML', advice: refresh },
  playbookLibrary: { what: 'Unable to load the library of playbooks', advice: refresh },
  playbookCollapsible: { what: 'Unable to load playbook collapsible', advice: refresh },
  playbookPrompt: { what: 'Unable to load playbook prompt', advice: refresh },
  tenantDetails: { what: 'Unable to load tenant details', advice: refresh },
  tenantUsers: { what: 'Unable to load tenant users', advice: refresh },
  tenantContacts: { what: 'Unable to load tenant contacts', advice: refresh },
  tenantContract: { what: 'Unable to load tenant contract', advice: refresh },
  tenantContractFiles: { what: 'Unable to load tenant contract files', advice: refresh },
  tenantBilling: { what: 'Unable to load tenant billing information', advice: refresh },
  currentUser: { what: 'Unable to load user details', advice: refresh },
  graylogEvents: { what: 'Unable to load Graylog events', advice: refresh },
  triggeredAlerts: { what: 'Unable to load Graylog triggered alerts', advice: refresh },
  automationSettings: { what: 'Unable to load Graylog automation settings', advice: refresh },
  automationDetail: { what: 'Unable to load Graylog automation settings details', advice: refresh },
  eventSources: { what: 'Unable to load Graylog event sources', advice: refresh },
  wizardIp: { what: 'Unable to load wizard whitelist IP', advice: refresh },
  onboarding: { what: 'Unable to load wizard onboarding in progress', advice: refresh },
  azureDetails: { what: 'Unable to load your Azure details', advice: refresh },
  availableIntegrations: { what: 'Unable to load available integrations', advice: refresh },
  integrations: { what: 'Failed to load integrations', advice: 'Please check your connection and try again.' },
  integrationDetail: {
    what: 'Unable to load integration details',
    advice: 'The integration may have been removed.',
  },
  integrationHealth: { what: 'Unable to load the health of this integration', advice: refresh },
  importedIntegrations: { what: 'Unable to load imported integrations', advice: refresh },
  ownNetworks: { what: 'Unable to load own networks', advice: refresh },
  integrationDefinition: {
    what: 'Failed to load integration configuration',
    advice: 'Please try again later.',
  },
  graylogReport: { what: 'Unable to load Graylog report...', advice: refresh },
  soarReport: { what: 'Unable to load SOAR report...', advice: refresh },
  reportSettings: { what: 'Unable to load report settings', advice: refresh },
  airReport: { what: 'Unable to load Air report...', advice: refresh },
  reportSchedules: { what: 'Unable to load report schedules', advice: refresh },
  reportRecipients: { what: 'Unable to load contacts to send reports to', advice: refresh },
  airDownloadLink: { what: 'Unable to load Air download link...', advice: refresh },
  mdrReports: { what: 'Unable to load MDR reports...', advice: refresh },
  mdrDownloadLink: { what: 'Unable to load MDR download link...', advice: refresh },
  dashboards: { what: 'Unable to load dashboard list', advice: refresh },
  cases: { what: 'Unable to load case list', advice: refresh },
  caseDetails: { what: 'Unable to load case details', advice: refresh },
  caseSuppressions: { what: 'Unable to load suppressed groups', advice: refresh },
  caseSla: { what: 'Unable to load response times', advice: refresh },
  policies: { what: 'Unable to load policy list', advice: refresh },
  policyDetails: { what: 'Unable to load policy details', advice: refresh },
  policyVersions: { what: 'Unable to load the versions of this policy', advice: refresh },
  policySourceText: { what: 'Unable to load the rule as it was imported', advice: refresh },
  policyPublications: { what: 'Unable to load the customers this policy can be published to', advice: refresh },
  automations: { what: 'Unable to load automation list', advice: refresh },
  automationDetails: { what: 'Unable to load automation details', advice: refresh },
  airOverview: { what: 'Unable to load the overview of incident response', advice: refresh },
  demoAccounts: { what: 'Unable to load demo accounts', advice: refresh },
  demoConnections: { what: 'Unable to load the sandbox', advice: refresh },
  outbox: { what: 'Unable to load the outbox', advice: refresh },
  accountSecurity: { what: 'Unable to load how your account is secured', advice: refresh },
  accountSessions: { what: 'Unable to load active sessions', advice: refresh },
  accountConnections: { what: 'Unable to load other ways to sign in', advice: refresh },
  apiKeys: { what: 'Unable to load API keys', advice: refresh },
  notifications: { what: 'Unable to load notifications', advice: refresh },
  notificationSlack: { what: 'Unable to load where Slack messages go', advice: refresh },
  overview: { what: 'Unable to load the overview of your tenants', advice: refresh },
  tenantSettings: { what: 'Unable to load tenant settings', advice: refresh },
  ssoConnections: { what: 'Unable to load single sign-on connections', advice: refresh },
  ssoDomains: { what: 'Unable to load e-mail domains', advice: refresh },
  customers: { what: 'Unable to load customers', advice: refresh },
  providerRoles: { what: 'Unable to load roles in customers', advice: refresh },
  audit: { what: 'Unable to load audit records', advice: refresh },
  operations: { what: 'Unable to load operations', advice: refresh },
  eventUsage: { what: 'Unable to load the volume of events', advice: refresh },
  dashboardUsage: { what: 'Unable to load the use of the dashboard', advice: refresh },
  eventSearch: { what: 'Unable to search', advice: 'Please try again.' },
  foundEvent: { what: 'Unable to load this event', advice: refresh },
  eventFields: { what: 'Unable to load the fields of these events', advice: refresh },
  searchScopes: { what: 'Unable to load what can be searched', advice: refresh },
  savedSearches: { what: 'Unable to load saved searches', advice: refresh },
} as const satisfies Record<string, { what: string; advice: string }>;

export type QueryName = keyof typeof loadFailures;

/** The first sentence of what is said, with its end. */
export function loadFailureTitle(name: QueryName): string {
  const what = known(loadFailures[name].what);
  return what.endsWith('...') ? what : `${what}.`;
}

// An error carries no query name of its own; the query client notes which query it came from when it fails.
const queryOfError = new WeakMap<Error, QueryName>();

export function noteFailedQuery(error: Error, name: QueryName): void {
  queryOfError.set(error, name);
}

/** Name of the query an error came from, if it came from one. */
export function failedQuery(error: unknown): QueryName | undefined {
  return error instanceof Error ? queryOfError.get(error) : undefined;
}
