/** What a screen says when its data does not load (spec §8), by query name. */
const refresh = 'Please refresh and try again.';

export const loadFailures = {
  actions: { what: 'Unable to load Actions', then: refresh },
  actionDetails: { what: 'Unable to load action details', then: refresh },
  activityList: { what: 'Unable to load Activity list', then: refresh },
  playbookActivityList: { what: 'Unable to load Activity list for playbooks', then: refresh },
  activityDetails: { what: 'Unable to load Activity details', then: refresh },
  activityStatus: { what: 'Unable to load Activity status', then: refresh },
  playbooks: { what: 'Unable to load playbooks', then: refresh },
  playbookInfo: { what: 'Unable to load playbook info', then: refresh },
  playbookCollapsible: { what: 'Unable to load playbook collapsible', then: refresh },
  playbookPrompt: { what: 'Unable to load playbook prompt', then: refresh },
  tenantDetails: { what: 'Unable to load tenant details', then: refresh },
  tenantUsers: { what: 'Unable to load tenant users', then: refresh },
  tenantContacts: { what: 'Unable to load tenant contacts', then: refresh },
  tenantContract: { what: 'Unable to load tenant contract', then: refresh },
  tenantContractFiles: { what: 'Unable to load tenant contract files', then: refresh },
  tenantBilling: { what: 'Unable to load tenant billing information', then: refresh },
  currentUser: { what: 'Unable to load user details', then: refresh },
  graylogEvents: { what: 'Unable to load Graylog events', then: refresh },
  triggeredAlerts: { what: 'Unable to load Graylog triggered alerts', then: refresh },
  automationSettings: { what: 'Unable to load Graylog automation settings', then: refresh },
  automationDetail: { what: 'Unable to load Graylog automation settings details', then: refresh },
  eventSources: { what: 'Unable to load Graylog event sources', then: refresh },
  wizardIp: { what: 'Unable to load wizard whitelist IP', then: refresh },
  onboarding: { what: 'Unable to load wizard onboarding in progress', then: refresh },
  azureDetails: { what: 'Unable to load your Azure details', then: refresh },
  availableIntegrations: { what: 'Unable to load available integrations', then: refresh },
  integrations: { what: 'Failed to load integrations', then: 'Please check your connection and try again.' },
  integrationDetail: {
    what: 'Unable to load integration details',
    then: 'The integration may have been removed.',
  },
  integrationDefinition: {
    what: 'Failed to load integration configuration',
    then: 'Please try again later.',
  },
  graylogReport: { what: 'Unable to load Graylog report', then: refresh },
  airReport: { what: 'Unable to load Air report', then: refresh },
  airDownloadLink: { what: 'Unable to load Air download link', then: refresh },
  mdrReports: { what: 'Unable to load MDR reports', then: refresh },
  mdrDownloadLink: { what: 'Unable to load MDR download link', then: refresh },
  dashboards: { what: 'Unable to load dashboard list', then: refresh },
  cases: { what: 'Unable to load case list', then: refresh },
  caseDetails: { what: 'Unable to load case details', then: refresh },
  policies: { what: 'Unable to load policy list', then: refresh },
  policyDetails: { what: 'Unable to load policy details', then: refresh },
  automations: { what: 'Unable to load automation list', then: refresh },
  automationDetails: { what: 'Unable to load automation details', then: refresh },
  demoAccounts: { what: 'Unable to load demo accounts', then: refresh },
} as const satisfies Record<string, { what: string; then: string }>;

export type QueryName = keyof typeof loadFailures;

/** The whole sentence, as the specification prints it. */
export function loadFailureText(name: QueryName): string {
  const { what, then } = loadFailures[name];
  return `${what}. ${then}`;
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
