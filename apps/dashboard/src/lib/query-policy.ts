import type { QueryName } from './load-failures.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Row = {
  /** How long an answer counts as fresh, in milliseconds. */
  readonly staleMs: number;
  /** How long an unused answer is kept, in milliseconds; five minutes when left out. */
  readonly keepMs?: number;
  /** Refetched this often while shown, in milliseconds. */
  readonly pollMs?: number;
  /** May be written to the persisted cache. Off unless said: case contents and results of actions stay in memory. */
  readonly persist?: true;
};

export const DEFAULT_STALE_MS = 5 * MINUTE;
export const DEFAULT_KEEP_MS = 5 * MINUTE;

/** Freshness by query (spec §9, stale times). */
export const queryRows = {
  actions: { staleMs: HOUR, persist: true },
  actionDetails: { staleMs: HOUR, persist: true },
  playbooks: { staleMs: HOUR, persist: true },
  playbookInfo: { staleMs: HOUR, persist: true },
  // Somebody else may publish or use it meanwhile.
  playbookVersions: { staleMs: MINUTE },
  playbookUse: { staleMs: MINUTE },
  playbookYaml: { staleMs: MINUTE },
  playbookLibrary: { staleMs: MINUTE },
  // What is edited starts from what is stored, never from what was read before.
  playbookDraft: { staleMs: 0 },
  // Whether automation is on must be known within a minute.
  tenantDetails: { staleMs: HOUR, pollMs: MINUTE, persist: true },
  tenantUsers: { staleMs: 5 * MINUTE },
  tenantContacts: { staleMs: 15 * MINUTE },
  tenantContract: { staleMs: 15 * MINUTE },
  tenantContractFiles: { staleMs: 15 * MINUTE },
  tenantBilling: { staleMs: 15 * MINUTE },
  currentUser: { staleMs: 5 * MINUTE, keepMs: 15 * MINUTE, pollMs: 5 * MINUTE },
  activityList: { staleMs: MINUTE },
  playbookActivityList: { staleMs: MINUTE },
  activityDetails: { staleMs: MINUTE },
  activityStatus: { staleMs: MINUTE },
  playbookCollapsible: { staleMs: 2 * MINUTE, keepMs: 30 * MINUTE },
  playbookPrompt: { staleMs: 10 * SECOND },
  graylogEvents: { staleMs: 30 * MINUTE },
  triggeredAlerts: { staleMs: 5 * MINUTE, pollMs: 5 * MINUTE },
  automationSettings: { staleMs: 2 * MINUTE },
  automationDetail: { staleMs: 15 * MINUTE },
  eventSources: { staleMs: 5 * MINUTE },
  wizardIp: { staleMs: 15 * MINUTE },
  onboarding: { staleMs: 5 * MINUTE },
  azureDetails: { staleMs: 5 * MINUTE },
  availableIntegrations: { staleMs: 30 * MINUTE, persist: true },
  integrations: { staleMs: MINUTE },
  integrationDetail: { staleMs: 30 * MINUTE },
  integrationHealth: { staleMs: MINUTE },
  importedIntegrations: { staleMs: MINUTE },
  ownNetworks: { staleMs: MINUTE },
  integrationDefinition: { staleMs: 30 * MINUTE, persist: true },
  graylogReport: { staleMs: DAY },
  soarReport: { staleMs: DAY },
  reportSettings: { staleMs: MINUTE },
  airReport: { staleMs: DAY },
  airDownloadLink: { staleMs: 2 * MINUTE },
  reportSchedules: { staleMs: MINUTE },
  reportRecipients: { staleMs: 5 * MINUTE },
  mdrReports: { staleMs: HOUR },
  mdrDownloadLink: { staleMs: 30 * MINUTE },
  cases: { staleMs: 2 * MINUTE },
  caseDetails: { staleMs: 2 * MINUTE },
  caseSuppressions: { staleMs: MINUTE },
  caseSla: { staleMs: MINUTE },
  policies: { staleMs: 2 * MINUTE },
  policyDetails: { staleMs: 2 * MINUTE },
  // Somebody else may change it meanwhile; what was imported stays as it was.
  policyVersions: { staleMs: MINUTE },
  policySourceText: { staleMs: HOUR },
  // What is chosen from must be how things stand.
  policyPublications: { staleMs: 0 },
  automations: { staleMs: 2 * MINUTE },
  automationDetails: { staleMs: 2 * MINUTE },
  airOverview: { staleMs: 2 * MINUTE },
  dashboards: { staleMs: 5 * MINUTE },
  // Codes change every 30 s, so they are never fresh.
  demoAccounts: { staleMs: 0 },
  // The sandbox stays where it is as long as the server runs.
  demoConnections: { staleMs: 5 * MINUTE },
  // Whoever looks there waits for a mail.
  outbox: { staleMs: 0 },
  accountSecurity: { staleMs: MINUTE },
  accountSessions: { staleMs: 10 * SECOND },
  accountConnections: { staleMs: 5 * MINUTE },
  apiKeys: { staleMs: MINUTE },
  // Announced by the stream; asked for as well in case it is down.
  notifications: { staleMs: MINUTE, pollMs: MINUTE },
  notificationSlack: { staleMs: MINUTE },
  // A little less than the poll, so that coming back to the page asks too.
  overview: { staleMs: 30 * SECOND, pollMs: MINUTE },
  tenantSettings: { staleMs: MINUTE },
  ssoConnections: { staleMs: MINUTE },
  ssoDomains: { staleMs: MINUTE },
  customers: { staleMs: MINUTE },
  providerRoles: { staleMs: MINUTE },
  audit: { staleMs: 10 * SECOND },
  operations: { staleMs: 10 * SECOND, pollMs: 10 * SECOND },
  eventUsage: { staleMs: 5 * MINUTE },
  dashboardUsage: { staleMs: MINUTE },
  // A search has a fixed end, so its answer stays what it was; searching again moves the end.
  eventSearch: { staleMs: 30 * MINUTE },
  foundEvent: { staleMs: 30 * MINUTE },
  eventFields: { staleMs: 30 * MINUTE },
  searchScopes: { staleMs: 5 * MINUTE },
  savedSearches: { staleMs: MINUTE },
} as const satisfies Record<QueryName, Row>;

/** Polling and freshness that depend on what was answered (spec §9, polling). */
export const polling = {
  /** An action run, until success or error. */
  actionRunMs: 4 * SECOND,
  /** A playbook run, while active. */
  playbookRunMs: 5 * SECOND,
  /** Figures of playbooks, while they are shown. */
  playbookFiguresMs: 30 * SECOND,
  /** Search reports, while one is being made, and otherwise. */
  unfinishedReportMs: 2 * SECOND,
  reportListMs: 2 * MINUTE,
  finishedRunStaleMs: HOUR,
  activeRunStaleMs: 10 * SECOND,
} as const;

type QueryState = { state: { status: string } };

/**
 * Options every query spreads: freshness, name for the failure text, and whether it may be persisted.
 *
 * A failed query is stale at once (spec §9). Polling pauses in hidden tabs, which is the query client's default.
 */
export function policyOf(name: QueryName) {
  const row: Row = queryRows[name];
  return {
    staleTime: staleUnlessFailed(row.staleMs),
    gcTime: row.keepMs ?? DEFAULT_KEEP_MS,
    ...(row.pollMs === undefined ? {} : { refetchInterval: row.pollMs }),
    meta: { name, persist: row.persist === true },
  };
}

export function staleUnlessFailed(staleMs: number) {
  return (query: QueryState): number => (query.state.status === 'error' ? 0 : staleMs);
}
