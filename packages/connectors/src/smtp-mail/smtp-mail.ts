import type { ConnectionTest, ConnectorContext, ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { certificateProblems } from '../certificate-problems.ts';
import { domainOf, senderOf } from './mail-message.ts';
import { mailServerOf, onMailServer } from './mail-server.ts';
import { sendMail, smtpMailOwner } from './send-mail.ts';

export const smtpMail: ConnectorDefinition = {
  ...smtpMailOwner,
  version: '1',
  name: 'SMTP mail',
  description: "Sends mail through the tenant's own mail server.",
  visible: true,
  category: 'communication',
  config_schema: {
    type: 'object',
    title: 'SMTP mail',
    required: ['server', 'from_address'],
    additionalProperties: false,
    properties: {
      server: {
        type: 'string',
        title: 'Mail server',
        description: 'smtps://mail.example.net:465 encrypts from the start, smtp://mail.example.net:587 by STARTTLS.',
        pattern: '^[Ss][Mm][Tt][Pp][Ss]?://[^\\s/?#@]+/?$',
        maxLength: 300,
        destination: true,
      },
      username: {
        type: 'string',
        title: 'User name',
        description: 'Empty when the server asks for none.',
        maxLength: 254,
      },
      password: { type: 'string', title: 'Password', maxLength: 500, secret: true },
      from_address: {
        type: 'string',
        title: 'Sender',
        description: 'Such as airdeck@example.com',
        minLength: 3,
        maxLength: 254,
      },
      from_name: { type: 'string', title: 'Name of the sender', default: 'AIRdeck', maxLength: 100 },
      allow_plaintext: {
        type: 'boolean',
        title: 'Allow sending without encryption',
        description: 'Only for servers that cannot encrypt and ask for no password.',
        default: false,
      },
      ca_certificate: {
        type: 'string',
        title: 'Certificate authority (PEM)',
        description: "Needed when the server's certificate is not from a public authority.",
        maxLength: 20000,
      },
    },
  },
  documentation: {
    setup: ['Use an account that may send as the sender below, with a password of its own.'],
    notes: [
      'Servers can be reached that have a public address or one of the own networks of the tenant, on the ports 25, 465, 587 and 2525.',
      'At most 50 recipients a mail. A mail whose outcome is unknown is not sent again by itself.',
      'The connection test signs in and sends nothing.',
    ],
  },
  capabilities: ['test_connection', 'actions'],
  actions: [sendMail],
  configProblems: (config) => certificateProblems(config, 'ca_certificate'),
  testConnection,
};

/** Connects, encrypts and signs in, as sending would, and says goodbye. */
async function testConnection(context: ConnectorContext): Promise<ConnectionTest> {
  const { host, port, login, mayBePlain } = mailServerOf(context.config);
  const from = senderOf(context.config);
  await onMailServer(context, domainOf(from.address), (transport) => transport.verify());
  return {
    message: `Connected to ${host}${login === undefined ? ', without a login' : ` as ${login.user}`}.`,
    metadata: { host, port, encryption: mayBePlain ? 'where the server offers it' : 'always' },
  };
}
