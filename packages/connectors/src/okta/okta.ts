import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { textAt } from '../answer-fields.ts';
import { lookbackOption } from '../time-keyed-fetch.ts';
import { addUserToGroup } from './add-user-to-group.ts';
import { clearSessions } from './clear-sessions.ts';
import { expirePassword } from './expire-password.ts';
import { fetchSystemLog } from './fetch-system-log.ts';
import { getUserAction } from './get-user.ts';
import { listSystemLog } from './list-system-log.ts';
import { listUserGroups } from './list-user-groups.ts';
import { listUsers } from './list-users.ts';
import { OKTA_OWNER } from './okta-action.ts';
import { tokenOwner } from './okta-client.ts';
import { removeUserFromGroup } from './remove-user-from-group.ts';
import { resetPassword } from './reset-password.ts';
import { suspendUser } from './suspend-user.ts';
import { unlockUser } from './unlock-user.ts';
import { unsuspendUser } from './unsuspend-user.ts';

export const okta: ConnectorDefinition = {
  ...OKTA_OWNER,
  version: '1',
  name: 'Okta',
  description: 'Reads the System Log and answers threats to accounts: suspend, end sessions, passwords, groups.',
  visible: true,
  category: 'identity',
  config_schema: {
    type: 'object',
    title: 'Okta',
    required: ['base_url', 'api_token'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the organization',
        description: 'Such as https://example.okta.com, without -admin.',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      api_token: {
        type: 'string',
        title: 'API token',
        description: 'Okta admin console, Security, API, Tokens. It can do what the administrator who made it may do.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
    },
  },
  event_options_schema: {
    type: 'object',
    title: 'System Log',
    additionalProperties: false,
    properties: {
      lookback_hours: lookbackOption,
      filter: {
        type: 'string',
        title: 'Filter',
        description: 'A filter expression of Okta. Empty: everything.',
        maxLength: 2000,
      },
    },
  },
  documentation: {
    url: 'https://developer.okta.com/docs/api/',
    setup: [
      'Make an administrator of its own for this connector, with no more rights than needed.',
      'Signed in as that administrator, open Security, API, Tokens, and create a token.',
    ],
    permissions: ['Read users and groups', 'Manage users', 'Read the System Log'],
    notes: [
      'Suspending does not end sessions that are open: use Clear sessions as well.',
      'Okta ends tokens that were not used for thirty days.',
    ],
  },
  unconfirmed: [
    'Error codes E0000006, E0000007, E0000011 and E0000047 come with 403, 404, 401 and 429.',
    'Unlocking an active person who is not blocked is refused with error code E0000032 and status 403.',
    'The X-Rate-Limit-Reset header holds epoch seconds.',
    'GET /api/v1/users/me answers with the owner of an API token; the connection test relies on it.',
    'The addresses of groups, memberships and reset_password are not part of the published description at hand.',
  ],
  capabilities: ['test_connection', 'fetch_events', 'actions'],
  actions: [
    addUserToGroup,
    clearSessions,
    expirePassword,
    getUserAction,
    listSystemLog,
    listUserGroups,
    listUsers,
    removeUserFromGroup,
    resetPassword,
    suspendUser,
    unlockUser,
    unsuspendUser,
  ],
  fetchEvents: fetchSystemLog,

  configProblems: (config) => headerProblems(config, ['api_token']),
  async testConnection(context) {
    const owner = await tokenOwner(context);
    const login = textAt(owner, 'profile', 'login');
    return {
      message: login === null ? 'The token works.' : `Connected with a token of ${login}.`,
      metadata: { user_id: owner.id, login },
    };
  },
};
