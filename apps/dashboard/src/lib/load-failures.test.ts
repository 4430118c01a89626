import { ApiError } from '@airdeck/api-client/api-error';
import { expect, test } from 'vitest';
import { presentError } from './error-presentation.ts';
import { noteFailedQuery, type QueryName } from './load-failures.ts';

const refresh = 'Please refresh and try again.';

test.each<[QueryName, string, string]>([
  ['actions', 'Unable to load Actions.', refresh],
  ['actionDetails', 'Unable to load action details.', refresh],
  ['activityList', 'Unable to load Activity list.', refresh],
  ['playbookActivityList', 'Unable to load Activity list for playbooks.', refresh],
  ['activityDetails', 'Unable to load Activity details.', refresh],
  ['activityStatus', 'Unable to load Activity status.', refresh],
  ['playbooks', 'Unable to load playbooks.', refresh],
  ['playbookInfo', 'Unable to load playbook info.', refresh],
  ['playbookCollapsible', 'Unable to load playbook collapsible.', refresh],
  ['playbookPrompt', 'Unable to load playbook prompt.', refresh],
  ['tenantDetails', 'Unable to load tenant details.', refresh],
  ['tenantUsers', 'Unable to load tenant users.', refresh],
  ['tenantContacts', 'Unable to load tenant contacts.', refresh],
  ['tenantContract', 'Unable to load tenant contract.', refresh],
  ['tenantContractFiles', 'Unable to load tenant contract files.', refresh],
  ['tenantBilling', 'Unable to load tenant billing information.', refresh],
  ['currentUser', 'Unable to load user details.', refresh],
  ['graylogEvents', 'Unable to load Graylog events.', refresh],
  ['triggeredAlerts', 'Unable to load Graylog triggered alerts.', refresh],
  ['automationSettings', 'Unable to load Graylog automation settings.', refresh],
  ['automationDetail', 'Unable to load Graylog automation settings details.', refresh],
  ['eventSources', 'Unable to load Graylog event sources.', refresh],
  ['wizardIp', 'Unable to load wizard whitelist IP.', refresh],
  ['onboarding', 'Unable to load wizard onboarding in progress.', refresh],
  ['availableIntegrations', 'Unable to load available integrations.', refresh],
  ['graylogReport', 'Unable to load Graylog report...', refresh],
  ['airReport', 'Unable to load Air report...', refresh],
  ['airDownloadLink', 'Unable to load Air download link...', refresh],
  ['mdrReports', 'Unable to load MDR reports...', refresh],
  ['mdrDownloadLink', 'Unable to load MDR download link...', refresh],
  ['azureDetails', 'Unable to load your Azure details.', refresh],
  ['integrations', 'Failed to load integrations.', 'Please check your connection and try again.'],
  ['integrationDetail', 'Unable to load integration details.', 'The integration may have been removed.'],
  ['integrationDefinition', 'Failed to load integration configuration.', 'Please try again later.'],
])('a failed %s is told as the specification says it', (name, title, advice) => {
  const at = { endpoint: '/api', method: 'GET', code: 'UNREACHABLE' };
  const error = new ApiError({ ...at, category: 'network', message: '' });
  noteFailedQuery(error, name);
  expect(presentError(error)).toMatchObject({ title, text: advice });
});
