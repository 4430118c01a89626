import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { certificateProblems } from '../certificate-problems.ts';
import { blockAddress } from './block-address.ts';
import { DEFAULT_GROUP } from './block-list.ts';
import { getSystemStatus, systemStatus } from './get-system-status.ts';
import { listBlocked } from './list-blocked.ts';
import { listPolicies } from './list-policies.ts';
import { unblockAddress } from './unblock-address.ts';

export const fortigate: ConnectorDefinition = {
  definition_id: 'fortigate',
  vendor: 'Fortinet',
  product: 'FortiGate',
  version: '1',
  name: 'FortiGate',
  description: 'Blocks and unblocks addresses on a FortiGate firewall and shows its policies, through its REST API.',
  visible: true,
  category: 'network',
  config_schema: {
    type: 'object',
    title: 'FortiGate',
    required: ['base_url', 'api_token'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the firewall',
        description: 'Such as https://firewall.example.net:8443',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      api_token: {
        type: 'string',
        title: 'API token',
        description: 'Of a REST API administrator that may change firewall addresses.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      },
      vdom: { type: 'string', title: 'Virtual domain', default: 'root', maxLength: 31 },
      group: { type: 'string', title: 'Address group for blocked addresses', default: DEFAULT_GROUP, maxLength: 79 },
      ca_certificate: {
        type: 'string',
        title: 'Certificate authority (PEM)',
        description: "Needed when the firewall's certificate is not from a public authority.",
        maxLength: 20000,
      },
    },
  },
  documentation: {
    setup: [
      'Create a REST API administrator on the firewall whose profile may read and write firewall addresses, and read policies and the system status.',
      'Allow this server in its trusted hosts, and paste the token it is given here.',
      'Create the address group for blocked addresses and use it as the source of a deny rule.',
    ],
    notes: [
      'One address object is made for each blocked address, named airdeck- and the address.',
      'Only IPv4 addresses can be blocked.',
      'The logs of the firewall come in by syslog, not through this connection: see the integration Syslog.',
    ],
  },
  unconfirmed: [
    'Bodies of requests and answers follow common knowledge of FortiOS 7; only the paths were checked, against an SDK.',
    'Lists of policies take "start" and "count", and give the policies in one order.',
    'The error numbers -3, -5, -23 and -651 mean not found, duplicate, in use and bad input.',
    'What does not exist, a group or a member of it, is answered with HTTP 404 and no number.',
  ],
  capabilities: ['test_connection', 'actions'],
  actions: [blockAddress, unblockAddress, listBlocked, listPolicies, getSystemStatus],

  configProblems: (config) => [
    ...headerProblems(config, ['api_token']),
    ...certificateProblems(config, 'ca_certificate'),
  ],
  async testConnection(context) {
    const { version, serial } = await systemStatus(context);
    return {
      message: `Connected to FortiOS ${typeof version === 'string' ? version : 'of unknown version'}.`,
      metadata: { version, serial },
    };
  },
};
