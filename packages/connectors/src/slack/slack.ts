import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { textOf } from '../answer-fields.ts';
import { createChannel, inviteToChannel, listChannels, openConversation } from './channels.ts';
import { findUserByEmail } from './find-user-by-email.ts';
import { postMessage, updateMessage } from './messages.ts';
import { slackOwner } from './slack-action.ts';
import { callSlack, SLACK_URL } from './slack-client.ts';

export const slack: ConnectorDefinition = {
  ...slackOwner,
  version: '1',
  name: 'Slack',
  description: 'Messages, channels and members of a Slack workspace.',
  visible: true,
  category: 'communication',
  config_schema: {
    type: 'object',
    title: 'Slack',
    required: ['bot_token'],
    additionalProperties: false,
    properties: {
      bot_token: {
        type: 'string',
        title: 'Bot token',
        description: 'Of an app installed to the workspace; begins with xoxb-',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
      base_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Leave as it is.',
        default: SLACK_URL,
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
    },
  },
  documentation: {
    url: 'https://docs.slack.dev/reference/methods',
    setup: [
      'Create an app for your workspace at api.slack.com.',
      'Give it the scopes below under OAuth & Permissions and install it.',
      'Copy the bot token, and invite the app to the channels it should post to.',
    ],
    permissions: [
      'chat:write',
      'users:read.email',
      'channels:read',
      'groups:read',
      'channels:manage',
      'groups:write',
      'im:write',
      'mpim:write',
    ],
    notes: [
      'Slack answers failures with HTTP 200; they are shown here as failures, with the word Slack uses.',
      'About one message a second and channel; more is refused and tried again after the time Slack names.',
      'Texts are sent as plain text unless told otherwise, so that nothing in a finding can mention a channel.',
    ],
  },
  unconfirmed: [
    'Updating messages, creating and opening conversations and inviting follow common knowledge; the description at hand covers posting, listing, looking up and the connection test, as of 2021.',
    'Limits and their "Retry-After" follow common knowledge.',
    'The scopes a token has are read from the header "x-oauth-scopes".',
  ],
  capabilities: ['test_connection', 'actions'],
  actions: [
    postMessage,
    updateMessage,
    findUserByEmail,
    listChannels,
    createChannel,
    openConversation,
    inviteToChannel,
  ],

  configProblems: (config) => headerProblems(config, ['bot_token']),
  async testConnection(context) {
    const { data, headers } = await callSlack(context, { method: 'auth.test' });
    const team = textOf(data, 'team');
    const user = textOf(data, 'user');
    return {
      message: `Connected to the workspace ${team ?? 'without a name'} as ${user ?? 'an app'}.`,
      metadata: {
        team,
        team_id: textOf(data, 'team_id'),
        url: textOf(data, 'url'),
        user,
        scopes: headers['x-oauth-scopes'] ?? null,
      },
    };
  },
};
