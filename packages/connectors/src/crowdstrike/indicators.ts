import { addressFamily } from '@airdeck/connector-kit/address-class';
import type { ActionContext, ConnectorContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf, textsOf } from '../answer-fields.ts';
import { inputText } from '../vendor-action.ts';
import { callFalcon, filterTerm, objectsIn } from './falcon-client.ts';

export const INDICATORS = '/iocs/entities/indicators/v1';
export const INDICATORS_COMBINED = '/iocs/combined/indicator/v1';
export const indicatorActions = ['detect', 'prevent', 'prevent_no_ui', 'allow', 'no_action'];

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

export const valueInput: JsonObject = {
  type: 'string',
  title: 'Indicator',
  description: 'SHA-256 or MD5 of a file, a domain, or an IP address.',
  minLength: 2,
  maxLength: 253,
};

export type Indicator = { readonly type: string; readonly value: string };

/** The indicator of an action's input, its type told by its form. Throws `VENDOR_REJECTED` for anything else. */
export function inputIndicator(context: ActionContext): Indicator {
  const value = inputText(context, 'value', { max: 253 }).toLowerCase();
  const family = addressFamily(value);
  if (family !== 0) return { type: family === 4 ? 'ipv4' : 'ipv6', value };
  if (/^[0-9a-f]{64}$/.test(value)) return { type: 'sha256', value };
  if (/^[0-9a-f]{32}$/.test(value)) return { type: 'md5', value };
  if (DOMAIN.test(value)) return { type: 'domain', value };
  throw new VendorError('VENDOR_REJECTED', '"value" must be a SHA-256, an MD5, a domain or an IP address.');
}

/** Falcon may answer with what only resembles the value, as it does for names of hosts: its answer is compared here. */
export async function findIndicator(
  context: ConnectorContext,
  { type, value }: Indicator,
): Promise<JsonObject | undefined> {
  const filter = `${filterTerm('type', type)}+${filterTerm('value', value)}`;
  const answer = await callFalcon(context, { path: INDICATORS_COMBINED, query: { filter, limit: 100 } });
  return objectsIn(answer).find((one) => one.type === type && textOf(one, 'value')?.toLowerCase() === value);
}

const nullableText: JsonObject = { type: ['string', 'null'] };

export const indicatorOutput: JsonObject = {
  id: { type: 'string' },
  type: nullableText,
  value: nullableText,
  action: nullableText,
  severity: nullableText,
  description: nullableText,
  platforms: { type: 'array', items: { type: 'string' } },
  expiration: nullableText,
  created: nullableText,
};

/** An indicator in the shape of `indicatorOutput`. */
export function indicatorFacts(indicator: JsonObject): JsonObject {
  return {
    id: textOf(indicator, 'id') ?? '',
    type: textOf(indicator, 'type'),
    value: textOf(indicator, 'value'),
    action: textOf(indicator, 'action'),
    severity: textOf(indicator, 'severity'),
    description: textOf(indicator, 'description'),
    platforms: textsOf(indicator.platforms),
    expiration: textOf(indicator, 'expiration'),
    created: textOf(indicator, 'created_on'),
  };
}
