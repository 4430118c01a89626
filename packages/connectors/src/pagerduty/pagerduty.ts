import type { ConnectionTest, ConnectorContext, ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { textsOf } from '../answer-fields.ts';
import { configText, configTextOr } from '../config-values.ts';
import { laterEvents, trigger } from './events.ts';
import { createNote, findIncident } from './incidents.ts';
import { listOncalls } from './list-oncalls.ts';
import { pagerdutyClient, pagerdutyOwner, serviceRegions } from './pagerduty-client.ts';

const ROUTING_KEY = /^[A-Za-z0-9]{32}$/;

export const pagerduty: ConnectorDefinition = {
  ...pagerdutyOwner,
  version: '1',
  name: 'PagerDuty',
  description: 'Alerts the people on call, and follows an alert to its end.',
  visible: true,
  category: 'communication',
  config_schema: {
    type: 'object',
    title: 'PagerDuty',
    required: ['routing_key'],
    additionalProperties: false,
    properties: {
      routing_key: {
        type: 'string',
        title: 'Routing key',
        description: 'Integration key of a service with "Events API v2", 32 characters.',
        minLength: 1,
        maxLength: 100,
        secret: true,
      },
      api_token: {
        type: 'string',
        title: 'API token',
        description: 'Only for who is on call, finding incidents and notes.',
        maxLength: 500,
        secret: true,
      },
      from_email: {
        type: 'string',
        title: 'Notes in the name of',
        description: 'Email address of a user of the account. Needed for notes.',
        pattern: '^[^\\s@]+@[^\\s@]+$',
        maxLength: 254,
      },
      region: {
        type: 'string',
        title: 'Region of the account',
        enum: Object.keys(serviceRegions),
        value_names: { us: 'US', eu: 'EU' },
        default: 'us',
      },
      base_url: {
        type: 'string',
        title: 'Other address',
        description: 'Leave empty. Takes the place of both addresses of PagerDuty.',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
    },
  },
  documentation: {
    url: 'https://developer.pagerduty.com/docs/events-api-v2-overview',
    setup: [
      'Add the integration "Events API v2" to a service and copy its integration key.',
      'For the other actions create an API access key under Integrations, Developer tools.',
    ],
    notes: [
      'Use the id of the case as deduplication key: then acknowledging and resolving reach the same alert.',
      'Nothing but an alert shows whether a routing key is right; the connection test checks its form and the API token.',
    ],
  },
  unconfirmed: [
    'The REST API (who is on call, incidents, notes, abilities) and its addresses per region follow common knowledge.',
    'Limits are told by 429; times to wait follow the headers where there are any.',
  ],
  capabilities: ['test_connection', 'actions'],
  actions: [trigger, ...laterEvents, findIncident, createNote, listOncalls],
  configProblems: (config) => headerProblems(config, ['api_token']),
  testConnection,
};

/** An event would wake somebody up, so the routing key is looked at and not used. */
async function testConnection(context: ConnectorContext): Promise<ConnectionTest> {
  // Another implementation of the same API may have keys of another form.
  const isElsewhere = configTextOr(context.config, 'base_url', '') !== '';
  const hasForm = isElsewhere || ROUTING_KEY.test(configText(context.config, 'routing_key'));
  if (!hasForm) throw new VendorError('CONNECTOR_CONFIG_INVALID', 'A routing key has 32 letters and digits.');
  if (configTextOr(context.config, 'api_token', '') === '') {
    return {
      message: 'The routing key has the right form. Only an alert would show whether it works.',
      metadata: { api_token: 'not set' },
    };
  }
  const answer = await pagerdutyClient.object(context, { path: '/abilities' });
  const abilities = textsOf(answer.abilities);
  return {
    message:
      'The API token works, and the routing key has the right form. Only an alert would show whether that one works.',
    metadata: { abilities: abilities.slice(0, 100) },
  };
}
