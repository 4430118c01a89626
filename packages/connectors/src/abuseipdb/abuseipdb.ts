import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { ABUSEIPDB_URL, checkAddress } from './abuseipdb-client.ts';
import { checkIp } from './check-ip.ts';

export const abuseipdb: ConnectorDefinition = {
  definition_id: 'abuseipdb',
  vendor: 'AbuseIPDB',
  product: 'AbuseIPDB',
  version: '1',
  name: 'AbuseIPDB',
  description: 'Reputation of IP addresses from reports of a community.',
  visible: true,
  category: 'threat_intelligence',
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
      api_key: { type: 'string', title: 'API key', minLength: 1, maxLength: 500, secret: true },
    },
  },
  capabilities: ['test_connection', 'actions'],
  actions: [checkIp],

  // The vendor has no call just for that; looking up loopback costs one lookup of the daily quota and tells nobody anything.
  async testConnection(context) {
    await checkAddress(context, { ip: '127.0.0.1', maxAgeDays: 1 });
    return { message: 'The key works.', metadata: {} };
  },
};
