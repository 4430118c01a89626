import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';

/** Events that others send over HTTP. Nothing is called from here: addresses and tokens belong to event sources. */
export const incomingWebhook: ConnectorDefinition = {
  definition_id: 'incoming_webhook',
  vendor: 'Generic',
  product: 'Incoming webhook',
  version: '1',
  name: 'Incoming webhook',
  description:
    'Events of anything that can send JSON over HTTPS: webhooks, log shippers, scripts. They come in by an event source of the tenant, with its address and token.',
  visible: true,
  category: 'generic',
  config_schema: { type: 'object', title: 'Incoming webhook', additionalProperties: false, properties: {} },
  documentation: {
    setup: [
      'Open Event sources, beside the list of integrations, and create one of the kind webhook, or log shipper for many events at once.',
      'Copy its address and its token; the token is shown once.',
      'Have the sender POST to the address, with the header "Authorization: Bearer" and the token.',
      'Send JSON (one event or an array of them) as application/json, lines of JSON as application/x-ndjson, or plain lines as text/plain.',
    ],
    notes: [
      'The answer is 202 with the number of accepted and rejected events, and why the first of them were rejected.',
      'A repeated delivery is counted once: by its Idempotency-Key, or by its content when it has none.',
      'Senders that can only sign, and not send a header of their own, cannot be used.',
      'Who has the token can send events and nothing else.',
    ],
  },
  capabilities: [],
  actions: [],
};
