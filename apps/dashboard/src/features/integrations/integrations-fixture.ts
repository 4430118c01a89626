import type { Connector, ConnectorHealth } from '@airdeck/contracts/connectors/schema';
import type { Integration, IntegrationDetail } from '@airdeck/contracts/integrations/schema';
import { ownTenant } from '../../session/fixtures.ts';

export const connectorId = '01920000-0000-7000-8000-000000000c01';

export const graylog: Integration = {
  id: 'graylog',
  vendor: 'Graylog, Inc.',
  product: 'Graylog',
  version: '6',
  visible: true,
  name: 'Graylog',
  description: 'Central log management.',
  category: 'log_management',
  can_fetch_events: true,
  can_fetch_metrics: true,
  can_test_connection: true,
  event_options_schema: {
    type: 'object',
    properties: { lookback_hours: { type: 'integer', title: 'Hours to look back', minimum: 0, default: 24 } },
  },
  metric_options_schema: { type: 'object', properties: {} },
  config_schema: {
    type: 'object',
    required: ['base_url', 'api_token'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Such as https://graylog.example.net:9000/api',
        pattern: '^https?://',
        destination: true,
      },
      api_token: { type: 'string', title: 'Access token', minLength: 1, secret: true },
      verify: { type: 'boolean', title: 'Check the certificate', default: true },
    },
  },
  capabilities: ['fetch_events', 'fetch_metrics', 'test_connection', 'actions'],
  actions: ['graylog.get_streams', 'graylog.search_messages'],
  imported: false,
};

/** As its own screens load it. */
export const graylogDetail: IntegrationDetail = {
  ...graylog,
  setup: {
    steps: ['Create a user for this.', 'Give it a token under Edit tokens.'],
    permissions: ['streams:read'],
    notes: ['Messages come in the order of their time.'],
    unconfirmed: ['Times are in UTC.'],
    url: 'https://graylog.example/api',
  },
};

export const slack: Integration = {
  ...graylog,
  id: 'slack',
  vendor: 'Slack',
  product: 'Slack',
  name: 'Slack',
  description: 'Messages to channels and people.',
  category: 'communication',
  can_fetch_events: false,
  can_fetch_metrics: false,
  event_options_schema: null,
  metric_options_schema: null,
  actions: ['slack.post_message'],
};

export function connector(more: Partial<Connector> = {}): Connector {
  return {
    id: connectorId,
    tenant: ownTenant,
    definition_id: 'graylog',
    name: 'Main Graylog',
    default: true,
    enabled: true,
    state: 'active',
    events_enabled: true,
    events_options: { lookback_hours: 24 },
    metrics_enabled: false,
    metrics_options: {},
    last_successful_connection: '2026-01-02T00:00:00.000Z',
    last_updated: '2026-01-01T00:00:00.000Z',
    test_connection_time: '2026-01-02T00:00:00.000Z',
    test_connection_status: 'success',
    test_connection_message: 'Graylog 6.1 answered.',
    test_connection_metadata: { version: '6.1' },
    events_24h: 1204,
    actions: ['graylog.get_streams'],
    config: {
      base_url: 'https://graylog.example.net:9000/api',
      api_token: { $secret: true, set_at: '2026-01-01T00:00:00.000Z' },
      verify: true,
    },
    ...more,
  };
}

export function health(more: Partial<ConnectorHealth> = {}): ConnectorHealth {
  return {
    tests: [
      {
        at: '2026-01-02T00:00:00.000Z',
        kind: 'test',
        by: 'person',
        status: 'error',
        code: 'VENDOR_CREDENTIALS_REFUSED',
        message: 'Graylog refused the credentials.',
        records: null,
        duration_ms: 120,
      },
    ],
    fetches: [
      {
        at: '2026-01-03T00:00:00.000Z',
        kind: 'events',
        by: 'schedule',
        status: 'success',
        code: null,
        message: '17 events fetched.',
        records: 17,
        duration_ms: 900,
      },
      {
        at: '2026-01-01T00:00:00.000Z',
        kind: 'events',
        by: 'schedule',
        status: 'error',
        code: 'BODY_TOO_LARGE',
        message: 'Graylog has a record of more than 10 MB. It was left out.',
        records: null,
        duration_ms: 0,
      },
    ],
    schedule: {
      test: { next_at: '2026-01-04T00:00:00.000Z', failures: 3 },
      events: { next_at: null, failures: 0 },
      metrics: { next_at: null, failures: 0 },
    },
    failing_since: '2026-01-02T00:00:00.000Z',
    last_event_at: null,
    metrics: { at: '2026-01-03T00:00:00.000Z', values: { throughput: 420 } },
    ...more,
  };
}
