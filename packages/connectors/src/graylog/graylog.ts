import type { ConnectorContext, ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { numberOf, textOf } from '../answer-fields.ts';
import { certificateProblems } from '../certificate-problems.ts';
import { eventTypeOption, lookbackOption } from '../time-keyed-fetch.ts';
import { attachNotification } from './attach-notification.ts';
import { createHttpNotificationAction } from './create-http-notification.ts';
import { deleteNotificationAction } from './delete-notification.ts';
import { disableEventDefinition } from './disable-event-definition.ts';
import { enableEventDefinition } from './enable-event-definition.ts';
import { fetchMessages } from './fetch-messages.ts';
import { fetchMetrics } from './fetch-metrics.ts';
import { getEventDefinitions } from './get-event-definitions.ts';
import { getStreams } from './get-streams.ts';
import { getSystemAction } from './get-system.ts';
import { getTriggeredAlerts } from './get-triggered-alerts.ts';
import { GRAYLOG_OWNER } from './graylog-action.ts';
import { GRAYLOG, getSystem, graylogClient } from './graylog-client.ts';
import { removeNotification } from './remove-notification.ts';
import { searchLive } from './search-live.ts';
import { searchMessages } from './search-messages.ts';

export const graylog: ConnectorDefinition = {
  ...GRAYLOG_OWNER,
  version: '1',
  name: 'Graylog',
  description: 'Reads alerts, event definitions and log messages, and lets alerts start automations here.',
  visible: true,
  category: 'siem',
  config_schema: {
    type: 'object',
    title: 'Graylog',
    required: ['base_url', 'api_token'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Such as https://graylog.example.net:9000/api; the path is part of it.',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      api_token: {
        type: 'string',
        title: 'Access token',
        description: 'Of a user of its own for this connector: System, Users and Teams, Edit tokens.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
      ca_certificate: {
        type: 'string',
        title: 'Certificate authority (PEM)',
        description: "Needed when the server's certificate is not from a public authority.",
        maxLength: 20_000,
      },
    },
  },
  event_options_schema: {
    type: 'object',
    title: 'Log messages',
    additionalProperties: false,
    properties: {
      lookback_hours: lookbackOption,
      event_type: eventTypeOption('log'),
      query: {
        type: 'string',
        title: 'Query',
        description: "In Graylog's search language.",
        default: '*',
        maxLength: 4000,
      },
      stream_id: {
        type: 'string',
        title: 'Stream',
        description: 'Its id, 24 digits and letters. Empty: all.',
        pattern: '^(?:[0-9a-f]{24})?$',
        maxLength: 24,
      },
      settle_s: {
        type: 'integer',
        title: 'Seconds to wait for late messages',
        description: 'Messages that Graylog takes in later than this after their own time are left out.',
        minimum: 0,
        maximum: 3600,
        default: 30,
      },
    },
  },
  metric_options_schema: {
    type: 'object',
    title: 'Throughput and journal',
    additionalProperties: false,
    properties: {},
  },
  documentation: {
    url: 'https://go2docs.graylog.org/',
    setup: [
      'Make a user for this connector with the permissions below.',
      'Open its tokens and create one; it is shown once.',
      'For automations, put the address of this product on the URL allow list of Graylog.',
    ],
    permissions: [
      'system:read',
      'eventdefinitions:read, eventdefinitions:edit',
      'eventnotifications:read, eventnotifications:create, eventnotifications:edit, eventnotifications:delete',
      'streams:read',
      'searches:relative, searches:absolute',
      'journal:read, throughput:read',
    ],
    notes: [
      'Priorities are shown as 1 high, 2 medium, 3 low: critical and high are 1, low and info are 3.',
      'A notification to an address that is not on the allow list fails when it fires, not when it is made.',
      'The search screen asks Graylog too, in its own language: names of fields there are those of Graylog, except host, raw and time.',
      'Works with the request forms of 4.x to 7.x; they were tried against a stand-in, not against a server.',
      'Before 5.0 a notification can carry no credentials: the token of the event source stands in its address then.',
    ],
  },
  unconfirmed: [
    'Whether the end of an absolute time range belongs to it; it is read so that both are right.',
    'The answers of /streams, /system/journal and /system/throughput.',
    'A permission for searches in absolute time ranges.',
    'The exact version from which http-notification-v2 is known: it is used from 6.1 on.',
    'Alerts are looked up with the oldest known form of the search.',
    'The exact version from which a notification takes a name with a password: it is used from 5.0 on.',
  ],
  capabilities: ['test_connection', 'fetch_events', 'fetch_metrics', 'search', 'actions'],
  actions: [
    attachNotification,
    createHttpNotificationAction,
    deleteNotificationAction,
    disableEventDefinition,
    enableEventDefinition,
    getEventDefinitions,
    getStreams,
    getSystemAction,
    getTriggeredAlerts,
    removeNotification,
    searchMessages,
  ],
  configProblems: (config) => certificateProblems(config, 'ca_certificate'),
  fetchEvents: fetchMessages,
  fetchMetrics,
  search: searchLive,
  searchNames: { host: 'source', raw: 'message', time: 'timestamp' },

  async testConnection(context) {
    const system = await getSystem(context);
    const version = textOf(system, 'version');
    const clusterId = textOf(system, 'cluster_id');
    if (version === null || clusterId === null) {
      throw new VendorError('VENDOR_ANSWER_UNREADABLE', `What answers at this address is not ${GRAYLOG}'s API.`);
    }
    return {
      message: `Connected to Graylog ${version}.`,
      metadata: {
        version,
        cluster_id: clusterId,
        nodes: await countNodes(context),
        is_processing: system.is_processing === true,
      },
    };
  },
};

/** Nice to know, and nothing to fail for: null when these credentials may not ask. */
async function countNodes(context: ConnectorContext): Promise<number | null> {
  const { body } = await graylogClient.call(context, { path: '/system/cluster/nodes', accept: [403, 404] });
  return typeof body === 'object' && body !== null ? numberOf(body as Record<string, unknown>, 'total') : null;
}
