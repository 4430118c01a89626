import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { headerProblems } from '@airdeck/connector-kit/settable-header';
import { certificateProblems } from '../certificate-problems.ts';
import { configTextOr } from '../config-values.ts';
import { authKinds, httpRequestClient } from './http-request-client.ts';
import { requestActions } from './request-actions.ts';

export const httpRequest: ConnectorDefinition = {
  definition_id: 'http_request',
  vendor: 'HTTP',
  product: 'HTTP request',
  version: '1',
  name: 'HTTP request',
  description: 'Calls any HTTP service below one base address, for what has no integration of its own.',
  visible: true,
  category: 'generic',
  config_schema: {
    type: 'object',
    title: 'HTTP request',
    required: ['base_url'],
    additionalProperties: false,
    properties: {
      base_url: {
        type: 'string',
        title: 'Base address',
        description: 'Such as https://api.example.net/v1. Actions reach what is below it and nothing else.',
        pattern: '^https?://',
        maxLength: 500,
        destination: true,
      },
      auth: {
        type: 'string',
        title: 'Credential',
        description: 'How the service wants it.',
        enum: [...authKinds],
        value_names: {
          none: 'None',
          basic: 'User name and password',
          bearer: 'Bearer token',
          header: 'Header of its own',
        },
        default: 'none',
      },
      username: { type: 'string', title: 'User name', description: 'With a password.', maxLength: 200 },
      header_name: {
        type: 'string',
        title: 'Name of the header',
        description: 'For a header of its own, such as X-Api-Key.',
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
        maxLength: 100,
      },
      secret: {
        type: 'string',
        title: 'Password, token or key',
        description: 'Sent to the base address only.',
        minLength: 1,
        maxLength: 4000,
        secret: true,
      },
      test_path: {
        type: 'string',
        title: 'Path for testing',
        description: 'Read when the connection is tested; choose one that needs the credential.',
        default: '/',
        pattern: '^/',
        maxLength: 500,
      },
      ca_certificate: {
        type: 'string',
        title: 'Certificate authority (PEM)',
        description: "Needed when the service's certificate is not from a public authority.",
        maxLength: 20000,
      },
    },
  },
  documentation: {
    setup: [
      'Enter the address all calls have in common.',
      'Choose how the service wants its credential, and enter it.',
      'Choose a path that only answers with the right credential, so that testing the connection means something.',
    ],
    notes: [
      'Redirects are not followed. Enter the final address.',
      'Answers of more than 1 MB are refused.',
      'One call ends after 30 seconds, also where a step of a playbook has a longer time limit.',
      'Changing calls carry an Idempotency-Key header that stays the same over all attempts of one step.',
    ],
  },
  capabilities: ['test_connection', 'actions'],
  actions: requestActions,

  configProblems(config) {
    const isSentAsItIs = config.auth === 'bearer' || config.auth === 'header';
    const inHeader = isSentAsItIs ? headerProblems(config, ['secret']) : [];
    return [...inHeader, ...certificateProblems(config, 'ca_certificate')];
  },

  async testConnection(context) {
    const path = configTextOr(context.config, 'test_path', '/');
    // Many services have nothing at their root; that it answers at all is what can be said then.
    const { status } = await httpRequestClient.call(context, { path, answers: 'text', accept: [404, 405] });
    return { message: `The service answered with HTTP ${status}.`, metadata: { status } };
  },
};
