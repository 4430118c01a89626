import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';

/** Events that come in by syslog. Nothing is called from here: tokens belong to event sources. */
export const syslog: ConnectorDefinition = {
  definition_id: 'syslog',
  vendor: 'Generic',
  product: 'Syslog',
  version: '1',
  name: 'Syslog',
  description:
    'Logs of firewalls, servers and appliances by syslog over TCP, UDP or TLS. They come in by an event source of the tenant, which a line names by its token, its door or its sender.',
  visible: true,
  category: 'generic',
  config_schema: { type: 'object', title: 'Syslog', additionalProperties: false, properties: {} },
  documentation: {
    setup: [
      'Open Event sources, beside the list of integrations, and create one of the kind syslog.',
      'Copy its address, such as syslog+tcp://airdeck.example.net:5514, and its token; the token is shown once.',
      'Have the sender write RFC 5424 with the token in its structured data: [airdeck@32473 token="src_..."].',
      "For a sender that cannot, have whoever runs the installation open a door that is the source's own (SYSLOG_PORTS), or name the address of the sender (SYSLOG_SENDERS). It needs no token then.",
      'Prefer TCP, with octet counting or one line for each event.',
    ],
    notes: [
      'A relay such as rsyslog or syslog-ng can add the token to the lines of others.',
      'The token is taken out of the line before it is stored.',
      'The address above takes lines unencrypted. Across networks that are not your own, send over TLS: at port 6514 of the same host unless whoever runs the installation chose another, once they gave it a certificate (SYSLOG_TLS_KEY_FILE, SYSLOG_TLS_CERT_FILE).',
      'UDP may lose lines on the way; nobody can tell which.',
      'RFC 3164 and RFC 5424 are recognized, and in them the lines of many firewalls, servers and sensors (docs/events.md lists them); other lines are kept as they are.',
    ],
  },
  unconfirmed: ['The number after "airdeck@" may be any; 32473 is the one kept for documentation.'],
  capabilities: [],
  actions: [],
};
