import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { StatedFailure, VendorAnswer } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { textOf, textsOf } from '../answer-fields.ts';
import { baseUrl, configText, configTextOr } from '../config-values.ts';
import { actionFactory } from '../vendor-action.ts';

export const pagerdutyOwner = { definition_id: 'pagerduty', vendor: 'PagerDuty', product: 'PagerDuty' } as const;

export const pagerdutyAction = actionFactory(pagerdutyOwner);

/** Events and the REST API live on two hosts. They are facts, not settings, so neither secret can be sent elsewhere. */
export const serviceRegions = {
  us: { events: 'https://events.pagerduty.com', api: 'https://api.pagerduty.com' },
  eu: { events: 'https://events.eu.pagerduty.com', api: 'https://api.eu.pagerduty.com' },
} as const;

/** Events API v2: the routing key in the body is the credential. */
export const eventsClient = createVendorClient({
  vendor: 'PagerDuty',
  baseUrl: (config) => addressOf(config, 'events'),
  authorize: () => ({}),
  failure: statedEventFailure,
});

/** REST API v2. */
export const pagerdutyClient = createVendorClient({
  vendor: 'PagerDuty',
  baseUrl: (config) => addressOf(config, 'api'),
  authorize: ({ config }) => ({ authorization: `Token token=${apiToken(config)}` }),
  headers: { accept: 'application/vnd.pagerduty+json;version=2' },
  failure: statedFailure,
});

function apiToken(config: JsonObject): string {
  const token = configTextOr(config, 'api_token', '');
  if (token !== '') return token;
  throw new VendorError('CONNECTOR_CONFIG_INVALID', 'This needs an API token in the settings of the connector.');
}

function addressOf(config: JsonObject, host: 'events' | 'api'): string {
  if (configTextOr(config, 'base_url', '') !== '') return baseUrl(config);
  return serviceRegions[configTextOr(config, 'region', 'us') === 'eu' ? 'eu' : 'us'][host];
}

/** Sends one event and gives the key it is known by. Sending it twice with the same key is one alert. */
export async function sendEvent(context: ConnectorContext, event: JsonObject): Promise<JsonObject> {
  const routingKey = configText(context.config, 'routing_key');
  const answer = await eventsClient.object(context, {
    method: 'POST',
    path: '/v2/enqueue',
    json: { routing_key: routingKey, ...event },
    idempotent: true,
  });
  return { dedup_key: textOf(answer, 'dedup_key') ?? event.dedup_key ?? null, message: textOf(answer, 'message') };
}

/** `{"status":"invalid event","message":"…","errors":["…"]}`, whatever the HTTP status. */
function statedEventFailure({ status, body }: VendorAnswer): StatedFailure | undefined {
  const data = objectOf(body);
  if (status < 400 && data.status === 'success') return undefined;
  return { detail: [textOf(data, 'message') ?? '', ...textsOf(data.errors)].filter((part) => part !== '').join('; ') };
}

/** `{"error":{"code":2100,"message":"…","errors":["…"]}}`. */
function statedFailure({ status, body }: VendorAnswer): StatedFailure | undefined {
  const error = objectOf(body).error;
  if (status < 400 && error === undefined) return undefined;
  const data = objectOf(error);
  return { detail: [textOf(data, 'message') ?? '', ...textsOf(data.errors)].filter((part) => part !== '').join('; ') };
}
