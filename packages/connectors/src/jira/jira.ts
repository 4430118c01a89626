import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { textOf } from '../answer-fields.ts';
import { addComment, createIssue, getIssue } from './issues.ts';
import { jiraClient, jiraOwner } from './jira-client.ts';
import { search } from './search.ts';
import { transitionIssue } from './transition-issue.ts';

export const jira: ConnectorDefinition = {
  ...jiraOwner,
  version: '1',
  name: 'Jira',
  description: 'Issues of a Jira Cloud site: create, read, comment, move and search.',
  visible: true,
  category: 'ticketing',
  config_schema: {
    type: 'object',
    title: 'Jira',
    required: ['base_url', 'email', 'api_token'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the site',
        description: 'Such as https://example.atlassian.net',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      email: { type: 'string', title: 'Email address of the account', minLength: 3, maxLength: 254 },
      api_token: {
        type: 'string',
        title: 'API token',
        description: 'Of that account, from id.atlassian.com under Security.',
        minLength: 1,
        maxLength: 1000,
        secret: true,
      },
      project: { type: 'string', title: 'Project for new issues', description: 'Its key, such as SEC.', maxLength: 50 },
    },
  },
  documentation: {
    url: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/intro/',
    setup: [
      'Use an account of its own that may create and edit issues in the project.',
      'Create an API token for it at id.atlassian.com, under Security.',
    ],
    permissions: ['Browse projects', 'Create issues', 'Add comments', 'Transition issues'],
    notes: ['Texts are sent as they are; nothing in them becomes markup.'],
  },
  unconfirmed: [
    'Search uses POST /rest/api/3/search/jql with "nextPageToken", from common knowledge.',
    'Comments, transitions and the connection test follow common knowledge of version 3.',
    'Assignees are set by the id of their account.',
  ],
  capabilities: ['test_connection', 'actions'],
  actions: [createIssue, getIssue, addComment, transitionIssue, search],

  async testConnection(context) {
    const account = await jiraClient.object(context, { path: '/myself' });
    const name = textOf(account, 'displayName') ?? textOf(account, 'emailAddress');
    return {
      message: `Connected as ${name ?? 'an account without a name'}.`,
      metadata: {
        account: name,
        account_id: textOf(account, 'accountId'),
        time_zone: textOf(account, 'timeZone'),
        active: account.active === true,
      },
    };
  },
};
