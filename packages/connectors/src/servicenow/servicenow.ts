import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { configText } from '../config-values.ts';
import { addWorkNote, createIncident, getIncident, updateIncident } from './incidents.ts';
import { queryTable } from './query-table.ts';
import { servicenowOwner, tablePage } from './servicenow-client.ts';

export const servicenow: ConnectorDefinition = {
  ...servicenowOwner,
  version: '1',
  name: 'ServiceNow',
  description: 'Incidents of a ServiceNow instance, and queries on its tables.',
  visible: true,
  category: 'ticketing',
  config_schema: {
    type: 'object',
    title: 'ServiceNow',
    required: ['base_url', 'username', 'password'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the instance',
        description: 'Such as https://example.service-now.com',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      username: {
        type: 'string',
        title: 'User name',
        description: 'Of an account for integrations; without a colon.',
        pattern: '^[^:]+$',
        minLength: 1,
        maxLength: 100,
      },
      password: { type: 'string', title: 'Password', minLength: 1, maxLength: 500, secret: true },
    },
  },
  documentation: {
    url: 'https://www.servicenow.com/docs/',
    setup: [
      'Create a user with "Web service access only".',
      'Give it the role itil, or a role that may read and write incidents through the Table API.',
    ],
    permissions: ['itil'],
    notes: [
      'A sleeping developer instance answers with a page instead of data: wake it up in its portal.',
      'An incident is looked up by its correlation id before it is opened, so a repeated step does not open a second one. Two runs at the same moment can still open one each.',
      'Times are shown in UTC.',
    ],
  },
  unconfirmed: [
    'Limits ("Retry-After", "X-RateLimit-Reset") depend on the instance and follow common knowledge.',
    'The numbers of states are those of an instance without changes.',
    'Signing in with OAuth is not supported here, only user name and password.',
  ],
  capabilities: ['test_connection', 'actions'],
  actions: [createIncident, getIncident, updateIncident, addWorkNote, queryTable],

  async testConnection(context) {
    const { total } = await tablePage(context, 'incident', { query: '', limit: 1, fields: ['sys_id'] });
    const account = configText(context.config, 'username');
    return {
      message: `Connected as ${account}${total === null ? '' : `, who may see ${total} incidents`}.`,
      metadata: { account, incidents: total },
    };
  },
};
