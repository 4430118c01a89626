import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { certificateProblems } from '../certificate-problems.ts';
import { blockActions } from './block-actions.ts';
import { panosOwner } from './panos-action.ts';
import { DEFAULT_TAG, TAG_PATTERN } from './registered-addresses.ts';
import { systemActions, systemInfo } from './system-actions.ts';

export const panos: ConnectorDefinition = {
  ...panosOwner,
  version: '1',
  name: 'PAN-OS',
  description: 'Blocks and unblocks addresses on a Palo Alto Networks firewall by tag, without a commit.',
  visible: true,
  category: 'network',
  config_schema: {
    type: 'object',
    title: 'PAN-OS',
    required: ['base_url', 'api_key'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Address of the firewall',
        description: 'Such as https://firewall.example.net',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'Of an administrator whose role allows the XML API.',
        minLength: 1,
        maxLength: 1000,
        secret: true,
      },
      vsys: { type: 'string', title: 'Virtual system', default: 'vsys1', pattern: '^vsys[0-9]{1,3}$', maxLength: 7 },
      tag: {
        type: 'string',
        title: 'Tag for blocked addresses',
        default: DEFAULT_TAG,
        pattern: TAG_PATTERN,
        maxLength: 127,
      },
      ca_certificate: {
        type: 'string',
        title: 'Certificate authority (PEM)',
        description: "Needed when the firewall's certificate is not from a public authority.",
        maxLength: 20000,
      },
    },
  },
  documentation: {
    url: 'https://docs.paloaltonetworks.com/pan-os/10-2/pan-os-panorama-api',
    setup: [
      'Make an administrator whose role allows of the XML API: operational requests, User-ID agent, configuration and commit.',
      'Get its key: POST to https://firewall.example.net/api/?type=keygen with user and password, and paste what stands in "key".',
      'Create a dynamic address group whose match is the tag, use it as the source or destination of a deny rule, and commit once.',
    ],
    permissions: [
      'XML API: Operational Requests',
      'XML API: User-ID Agent',
      'XML API: Configuration',
      'XML API: Commit',
    ],
    notes: [
      'Blocking takes effect at once; nothing is committed.',
      'Tags on addresses are lost when the firewall starts anew, unless it is told to keep them.',
      'A change of the administrator password makes its key worthless.',
    ],
  },
  unconfirmed: [
    'Bodies of requests and answers follow common knowledge of PAN-OS 10 and its SDK; no published description was at hand.',
    'Code 403 means a wrong key, 16 a right that is missing, 7 and 8 an object that is missing or exists, 10 one that is in use, 22 a session that ended.',
    'A commit without changes answers with success and without a job; a missing object of the configuration with success and without a result.',
    'While a commit goes on, another is refused with the words "Another commit/validate is in progress", and nothing was done.',
    'The longest time after which the firewall takes a tag away by itself is 30 days.',
  ],
  capabilities: ['test_connection', 'actions'],
  actions: [...blockActions, ...systemActions],

  configProblems: (config) => [
    ...headerProblems(config, ['api_key']),
    ...certificateProblems(config, 'ca_certificate'),
  ],
  async testConnection(context) {
    const { hostname, model, serial, version } = await systemInfo(context);
    return {
      message: `Connected to ${String(hostname ?? 'a firewall')} with PAN-OS ${String(version ?? 'of unknown version')}.`,
      metadata: { hostname, model, serial, version },
    };
  },
};
