import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { compileHttpActions } from '@airdeck/connector-kit/http-action';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { ABUSEIPDB_URL, abuseipdbClient } from './abuseipdb-client.ts';
import { checkIp } from './check-ip.ts';

const about = {
  definition_id: 'abuseipdb',
  vendor: 'AbuseIPDB',
  product: 'AbuseIPDB',
  config_schema: {
    type: 'object',
    title: 'AbuseIPDB',
    required: ['api_key'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Leave as it is unless you use a mirror.',
        default: ABUSEIPDB_URL,
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'Of your account, under API.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
    },
  },
} as const;

export const abuseipdb: ConnectorDefinition = {
  ...about,
  version: '1',
  name: 'AbuseIPDB',
  description: 'Reputation of IP addresses from reports of a community.',
  visible: true,
  category: 'threat_intelligence',
  documentation: {
    url: 'https://docs.abuseipdb.com',
    setup: ['Sign in at AbuseIPDB and open API in your account.', 'Create a key and paste it here.'],
    notes: [
      'Every plan has a daily quota of look-ups. When it is used up, actions fail and say when the next day begins.',
      'Testing the connection looks up a loopback address and costs one look-up.',
    ],
  },
  capabilities: ['test_connection', 'actions'],
  actions: compileHttpActions({ owner: about, client: abuseipdbClient }, [checkIp]),

  // The vendor has no call just for that; looking up loopback costs one lookup of the daily quota and tells nobody anything.
  configProblems: (config) => headerProblems(config, ['api_key']),
  async testConnection(context) {
    await abuseipdbClient.object(context, {
      path: '/api/v2/check',
      query: { ipAddress: '127.0.0.1', maxAgeInDays: 1 },
    });
    return { message: 'The key works.', metadata: {} };
  },
};
