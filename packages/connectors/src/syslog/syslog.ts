import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';

/** Events that come in by syslog. Nothing is called from here: tokens belong to event sources. */
export const syslog: ConnectorDefinition = {
  definition_id: 'syslog',
  vendor: 'Generic',
  product: 'Syslog',
  version: '1',
  name: 'Syslog',
  description:
    'Logs of firewalls, servers and appliances by syslog over TCP or UDP. They come in by an event source of the tenant, with its token in each line.',
  visible: true,
  category: 'generic',
  config_schema: { type: 'object', title: 'Syslog', additionalProperties: false, properties: {} },
  documentation: {
    setup: [
      'Open Event sources, beside the list of integrations, and create one of the kind syslog.',
      'Copy its address, such as syslog+tcp://airdeck.example.net:5514, and its token; the token is shown once.',
      'Have the sender write RFC 5424 with the token in its structured data: [airdeck@32473 token="src_..."].',
      'Prefer TCP, with octet counting or one line for each event.',
    ],
    notes: [
      'Appliances that cannot write structured data send to a relay such as rsyslog or syslog-ng, which adds it.',
      'The token is taken out of the line before it is stored.',
      'Lines are sent unencrypted: across networks that are not your own, put a relay with TLS in between.',
      'UDP may lose lines on the way; nobody can tell which.',
      'RFC 3164 and RFC 5424 are recognized, and in them the lines of many firewalls, servers and sensors (docs/events.md lists them); other lines are kept as they are.',
    ],
  },
  unconfirmed: ['The number after "airdeck@" may be any; 32473 is the one kept for documentation.'],
  capabilities: [],
  actions: [],
};
