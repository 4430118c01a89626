import { expect, test } from 'vitest';
import { loadFailures } from './load-failures.ts';
import { DEFAULT_KEEP_MS, DEFAULT_STALE_MS, policyOf, polling, queryRows } from './query-policy.ts';

// A change of a business constant shows here, next to the specification's own words (§9, stale times).
test('stale times are those of the specification, in minutes', () => {
  const minutes = Object.fromEntries(Object.entries(queryRows).map(([name, { staleMs }]) => [name, staleMs / 60_000]));
  expect(minutes).toMatchInlineSnapshot(`
    {
      "accountConnections": 5,
      "accountSecurity": 1,
      "accountSessions": 0.16666666666666666,
      "actionDetails": 60,
      "actions": 60,
      "activityDetails": 1,
      "activityList": 1,
      "activityStatus": 1,
      "airDownloadLink": 2,
      "airOverview": 2,
      "airReport": 1440,
      "apiKeys": 1,
      "audit": 0.16666666666666666,
      "automationDetail": 15,
      "automationDetails": 2,
      "automationSettings": 2,
      "automations": 2,
      "availableIntegrations": 30,
      "azureDetails": 5,
      "caseDetails": 2,
      "caseSla": 1,
      "caseSuppressions": 1,
      "cases": 2,
      "currentUser": 5,
      "customers": 1,
      "dashboardUsage": 1,
      "dashboards": 5,
      "demoAccounts": 0,
      "demoConnections": 5,
      "eventFields": 30,
      "eventSearch": 30,
      "eventSources": 5,
      "eventUsage": 5,
      "foundEvent": 30,
      "graylogEvents": 30,
      "graylogReport": 1440,
      "importedIntegrations": 1,
      "integrationDefinition": 30,
      "integrationDetail": 30,
      "integrationHealth": 1,
      "integrations": 1,
      "mdrDownloadLink": 30,
      "mdrReports": 60,
      "notificationSlack": 1,
      "notifications": 1,
      "onboarding": 5,
      "operations": 0.16666666666666666,
      "outbox": 0,
      "overview": 0.5,
      "ownNetworks": 1,
      "playbookActivityList": 1,
      "playbookCollapsible": 2,
      "playbookDraft": 0,
      "playbookInfo": 60,
      "playbookLibrary": 1,
      "playbookPrompt": 0.16666666666666666,
      "playbookUse": 1,
      "playbookVersions": 1,
      "playbookYaml": 1,
      "playbooks": 60,
      "policies": 2,
      "policyDetails": 2,
      "policyPublications": 0,
      "policySourceText": 60,
      "policyVersions": 1,
      "providerRoles": 1,
      "reportRecipients": 5,
      "reportSchedules": 1,
      "reportSettings": 1,
      "savedSearches": 1,
      "searchScopes": 5,
      "soarReport": 1440,
      "ssoConnections": 1,
      "ssoDomains": 1,
      "tenantBilling": 15,
      "tenantContacts": 15,
      "tenantContract": 15,
      "tenantContractFiles": 15,
      "tenantDetails": 60,
      "tenantSettings": 1,
      "tenantUsers": 5,
      "triggeredAlerts": 5,
      "wizardIp": 15,
    }
  `);
});

test('kept, polled and persisted only where the table says so', () => {
  const rows: [string, { staleMs: number; keepMs?: number; pollMs?: number; persist?: true }][] =
    Object.entries(queryRows);
  const named = (has: (row: (typeof rows)[number][1]) => unknown) =>
    rows.filter(([, row]) => has(row) !== undefined).map(([name]) => name);
  expect(named((row) => row.keepMs)).toEqual(['currentUser', 'playbookCollapsible']);
  expect(named((row) => row.pollMs)).toEqual([
    'tenantDetails',
    'currentUser',
    'triggeredAlerts',
    'notifications',
    'overview',
    'operations',
  ]);
  expect(named((row) => row.persist)).toEqual([
    'actions',
    'actionDetails',
    'playbooks',
    'playbookInfo',
    'tenantDetails',
    'availableIntegrations',
    'integrationDefinition',
  ]);
});

test('defaults and polling of spec §9', () => {
  expect([DEFAULT_STALE_MS, DEFAULT_KEEP_MS]).toEqual([300_000, 300_000]);
  expect(polling).toEqual({
    actionRunMs: 4000,
    playbookRunMs: 5000,
    reportListMs: 120_000,
    unfinishedReportMs: 2_000,
    playbookFiguresMs: 30_000,
    finishedRunStaleMs: 3_600_000,
    activeRunStaleMs: 10_000,
  });
});

test('a failed query is stale at once', () => {
  const { staleTime } = policyOf('playbooks');
  expect(staleTime({ state: { status: 'success' } })).toBe(3_600_000);
  expect(staleTime({ state: { status: 'error' } })).toBe(0);
});

test('every query has a failure text', () => {
  expect(Object.keys(queryRows).sort()).toEqual(Object.keys(loadFailures).sort());
});

/** A link of the server ends after two minutes, which a quarter of an hour would outlive: asked for with every use. */
const notCacheable = ['tenantContractFiles'];

test('every row is that of some query, so that none says what nothing does', () => {
  const sources = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
  const used = Object.entries(sources)
    .filter(([path]) => !path.includes('.test.'))
    .flatMap(([, text]) => [...text.matchAll(/\bpolicyOf\('(\w+)'\)/g)].map(([, name]) => name));
  expect(Object.keys(queryRows).filter((name) => !used.includes(name))).toEqual(notCacheable);
});
