import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { permissionWords, probePermissions } from '../permission-probe.ts';
import { eventTypeOption, lookbackOption } from '../time-keyed-fetch.ts';
import { commentAlert } from './comment-alert.ts';
import { containHost } from './contain-host.ts';
import { createIoc } from './create-ioc.ts';
import { deleteIoc } from './delete-ioc.ts';
import { FALCON_OWNER } from './falcon-action.ts';
import { callFalcon, FALCON_URL } from './falcon-client.ts';
import { fetchAlerts } from './fetch-alerts.ts';
import { findHost } from './find-host.ts';
import { getAlert } from './get-alert.ts';
import { liftContainment } from './lift-containment.ts';
import { listIocs } from './list-iocs.ts';
import { updateAlert } from './update-alert.ts';

export const crowdstrike: ConnectorDefinition = {
  ...FALCON_OWNER,
  version: '1',
  name: 'CrowdStrike Falcon',
  description: 'Reads alerts, cuts hosts off from the network and keeps indicators of compromise.',
  visible: true,
  category: 'endpoint',
  config_schema: {
    type: 'object',
    title: 'CrowdStrike Falcon',
    required: ['client_id', 'client_secret'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of your cloud',
        description: 'As shown when the API client was made, such as https://api.eu-1.crowdstrike.com.',
        default: FALCON_URL,
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      client_id: { type: 'string', title: 'Client id', minLength: 1, maxLength: 200 },
      client_secret: { type: 'string', title: 'Client secret', minLength: 1, maxLength: 500, secret: true },
      member_cid: {
        type: 'string',
        title: 'Customer id',
        description: 'Of one customer, for providers whose client may act for several. Usually empty.',
        maxLength: 64,
        account: true,
      },
    },
  },
  event_options_schema: {
    type: 'object',
    title: 'Alerts',
    additionalProperties: false,
    properties: {
      lookback_hours: lookbackOption,
      event_type: eventTypeOption('alert'),
      min_severity: {
        type: 'integer',
        title: 'From severity',
        description: '0 to 100.',
        minimum: 0,
        maximum: 100,
        default: 0,
      },
    },
  },
  documentation: {
    url: 'https://developer.crowdstrike.com/',
    setup: [
      'In the Falcon console open Support and resources, API clients and keys, and create a client.',
      'Copy id, secret and base address; the secret is shown once.',
    ],
    permissions: ['Alerts: read, write', 'Hosts: read, write', 'IOC Management: read, write'],
    notes: [
      'Containment is asynchronous: the answer says that it was asked for, Find host says when the sensor has done it.',
      'An alert that changes is fetched again, as another record.',
    ],
  },
  unconfirmed: [
    'The header X-Ratelimit-Retryafter of a 429 holds the time at which calls are let through again.',
    'A client with wrong credentials is refused with 403 at the token address.',
    'The list of alerts takes part in sorting by updated_timestamp and in range filters on it with milliseconds.',
    'Asking to contain a host that is being contained is refused; it is not asked for again here.',
  ],
  capabilities: ['test_connection', 'fetch_events', 'actions'],
  actions: [
    commentAlert,
    containHost,
    createIoc,
    deleteIoc,
    findHost,
    getAlert,
    liftContainment,
    listIocs,
    updateAlert,
  ],
  fetchEvents: fetchAlerts,

  async testConnection(context) {
    const allowed = await probePermissions({
      alerts: () => callFalcon(context, { path: '/alerts/queries/alerts/v2', query: { limit: 1 } }),
      hosts: () => callFalcon(context, { path: '/devices/queries/devices/v1', query: { limit: 1 } }),
    });
    return { message: `Connected. The client may read ${permissionWords(allowed)}.`, metadata: { ...allowed } };
  },
};
