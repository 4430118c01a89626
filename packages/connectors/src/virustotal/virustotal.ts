import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { reportActions } from './reports.ts';
import { getAnalysis, scanUrl } from './scan-url.ts';
import { virustotalOwner } from './virustotal-action.ts';
import { findVirustotalObject, VIRUSTOTAL_URL } from './virustotal-client.ts';

export const virustotal: ConnectorDefinition = {
  ...virustotalOwner,
  version: '1',
  name: 'VirusTotal',
  description: 'Verdicts of many engines on files, addresses, domains and URLs.',
  visible: true,
  category: 'threat_intelligence',
  config_schema: {
    type: 'object',
    title: 'VirusTotal',
    required: ['api_key'],
    additionalProperties: false,
    properties: {
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'From the menu of your VirusTotal account. A public key has 4 calls a minute and 500 a day.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
      base_url: {
        type: 'string',
        title: 'Address of the API',
        description: 'Leave as it is unless you use a mirror.',
        default: VIRUSTOTAL_URL,
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
    },
  },
  documentation: {
    url: 'https://docs.virustotal.com/reference/overview',
    setup: ['Sign in at VirusTotal.', 'Open the menu of your account and copy the API key.'],
    notes: [
      'What VirusTotal has never seen is an answer ("found" is false), not a failure.',
      'A public key must not be used for commercial purposes.',
    ],
  },
  unconfirmed: [
    'No header says how much of the quota is left; after a refusal the next try waits a minute.',
    'The answer of an analysis (status and stats) follows common knowledge.',
    'Nothing confirmed tells account or plan of a key, so the connection test shows neither; it takes one look-up of the quota.',
  ],
  capabilities: ['test_connection', 'actions'],
  actions: [...reportActions, scanUrl, getAnalysis],

  // The address is nobody's; both "known" and "never seen" prove that the key works.
  configProblems: (config) => headerProblems(config, ['api_key']),
  async testConnection(context) {
    await findVirustotalObject(context, { path: '/ip_addresses/127.0.0.1' });
    return { message: 'The key works. VirusTotal does not say whose it is.', metadata: {} };
  },
};
