import type { ConnectionTest, ConnectorContext, ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { objectOf } from '@airdeck/contracts/json-object';
import { textAt, textOf } from '../answer-fields.ts';
import { configText } from '../config-values.ts';
import { alertLists } from './alert-lists.ts';
import { getUser } from './get-user.ts';
import { githubOwner } from './github-action.ts';
import { GITHUB_URL, githubClient, orgPath } from './github-client.ts';
import { fetchGithubEvents, githubEventOptions } from './github-events.ts';
import { commentIssue, createIssue } from './issues.ts';
import { listOrgAuditLog } from './list-org-audit-log.ts';
import { blockUser, removeOrgMember, unblockUser } from './org-membership.ts';

export const github: ConnectorDefinition = {
  ...githubOwner,
  version: '1',
  name: 'GitHub',
  description: 'Audit log, security alerts, members and issues of a GitHub organization.',
  visible: true,
  category: 'cloud',
  config_schema: {
    type: 'object',
    title: 'GitHub',
    required: ['organization', 'token'],
    additionalProperties: false,
    properties: {
      organization: {
        type: 'string',
        title: 'Organization',
        description: 'Its name as in the address: github.com/<organization>',
        pattern: '^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$',
        maxLength: 39,
        account: true,
      },
      token: {
        type: 'string',
        title: 'Access token',
        description:
          'Of an owner of the organization: classic with read:audit_log, admin:org, security_events and repo, or fine-grained with the same rights.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
      base_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Leave as it is for github.com. GitHub Enterprise Server: https://github.example.net/api/v3',
        default: GITHUB_URL,
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
    },
  },
  event_options_schema: githubEventOptions,
  documentation: {
    url: 'https://docs.github.com/en/rest',
    setup: [
      'Sign in as an owner of the organization.',
      'Create an access token under Settings, Developer settings, and give it an end date.',
      'Where the organization uses single sign-on, authorize the token for it.',
    ],
    permissions: ['read:audit_log', 'admin:org', 'security_events', 'repo'],
    notes: [
      'The audit log needs GitHub Enterprise Cloud or Server; alerts need the feature they come from.',
      'GitHub answers "not found" for what a token may not see.',
      'The literals of found secrets are never fetched.',
    ],
  },
  unconfirmed: [
    'Paths, headers and answers follow common knowledge of the REST API, version 2022-11-28; they were not checked against the official description.',
    'Removing a member uses the path of memberships, which also cancels an open invitation.',
    'A limit that names no time is waited for one minute.',
    'The audit log takes a lower bound in the search phrase ("created:>=", to the second) and ascending order.',
  ],
  capabilities: ['test_connection', 'fetch_events', 'actions'],
  actions: [
    getUser,
    listOrgAuditLog,
    blockUser,
    unblockUser,
    removeOrgMember,
    createIssue,
    commentIssue,
    ...alertLists,
  ],
  fetchEvents: fetchGithubEvents,
  configProblems: (config) => headerProblems(config, ['token']),
  testConnection,
};

async function testConnection(context: ConnectorContext): Promise<ConnectionTest> {
  const answer = await githubClient.call(context, { path: orgPath(context) });
  const organization = objectOf(answer.body);
  // Tokens of apps belong to no account: they may not ask who they are.
  const user = await githubClient.call(context, { path: '/user', accept: [403] });
  const login = user.status === 403 ? null : textOf(objectOf(user.body), 'login');
  const plan = textAt(organization, 'plan', 'name');
  const name = textOf(organization, 'login') ?? configText(context.config, 'organization');
  return {
    message: `Connected to ${name}${login === null ? ' with the token of an app' : ` as ${login}`}${plan === null ? '' : `, plan ${plan}`}.`,
    metadata: {
      organization: name,
      account: login,
      plan,
      scopes: answer.headers['x-oauth-scopes'] ?? null,
      rate_limit: answer.headers['x-ratelimit-limit'] ?? null,
    },
  };
}
