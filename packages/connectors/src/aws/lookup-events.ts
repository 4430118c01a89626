import { collectPages } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { inputTime } from '../time-input.ts';
import { inputCount, limitSchema, optionalText } from '../vendor-action.ts';
import { awsAction, nullableText } from './aws-action.ts';
import { AWS } from './aws-client.ts';
import { entryTimeMs, eventOf, type LookupAttribute, lookupAttributes, lookupPage } from './cloudtrail.ts';

const LIST = { fallback: 50, max: 500 };

export const lookupEvents = awsAction({
  verb: 'lookup_events',
  friendly_name: 'Look up CloudTrail events',
  description: 'Searches the event history of this region, newest first.',
  effect: 'reads',
  idempotent: true,
  input: {
    attribute: { type: 'string', title: 'Search by', enum: [...lookupAttributes] },
    value: { type: 'string', title: 'Value', description: 'Exactly what the attribute must be.', maxLength: 2000 },
    from: { type: 'string', title: 'From', format: 'date-time', maxLength: 35 },
    to: { type: 'string', title: 'To', format: 'date-time', maxLength: 35 },
    limit: limitSchema(LIST.fallback, LIST.max),
  },
  output: {
    events: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: nullableText,
          name: nullableText,
          source: nullableText,
          user_name: nullableText,
          time: nullableText,
          event: { type: 'object', description: 'The event as CloudTrail recorded it.' },
        },
      },
    },
    is_cut: { type: 'boolean' },
  },
  timeout_s: 60,

  async run(context) {
    const limit = inputCount(context, 'limit', LIST);
    const [from, to] = [inputTime(context, 'from'), inputTime(context, 'to')];
    const attribute = attributeOf(context.input);
    const lookup = {
      count: limit,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(attribute === undefined ? {} : { attribute }),
    };
    const { items, isCut } = await collectPages<JsonObject, string>({
      vendor: AWS,
      first: '',
      maxItems: limit,
      fetch: (token) => lookupPage(context, lookup, token === '' ? undefined : token),
    });
    return { events: items.map(entryFacts), is_cut: isCut };
  },
});

function attributeOf(input: JsonObject): { key: LookupAttribute; value: string } | undefined {
  const key = lookupAttributes.find((name) => name === input.attribute);
  const value = optionalText({ input }, 'value', { max: 2000 });
  if (key !== undefined && value !== undefined) return { key, value };
  if (key === undefined && value === undefined) return undefined;
  throw new VendorError('VENDOR_REJECTED', '"attribute" and "value" are given together or not at all.');
}

function entryFacts(entry: JsonObject): JsonObject {
  const timeMs = entryTimeMs(entry);
  return {
    id: textOf(entry, 'EventId'),
    name: textOf(entry, 'EventName'),
    source: textOf(entry, 'EventSource'),
    user_name: textOf(entry, 'Username'),
    time: Math.abs(timeMs) <= 8.64e15 ? new Date(timeMs).toISOString() : null,
    event: eventOf(entry),
  };
}
