import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { VendorPage } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { objectsOf, textOf } from '../answer-fields.ts';
import { AWS, awsTarget } from './aws-client.ts';

/** As many as one answer may have. */
export const EVENTS_PAGE = 50;

/** What a look-up can search by; one at a time. */
export const lookupAttributes = [
  'EventId',
  'EventName',
  'ReadOnly',
  'Username',
  'ResourceType',
  'ResourceName',
  'EventSource',
  'AccessKeyId',
] as const;
export type LookupAttribute = (typeof lookupAttributes)[number];

export type Lookup = {
  readonly from?: Date;
  readonly to?: Date;
  readonly attribute?: { readonly key: LookupAttribute; readonly value: string };
  readonly count: number;
};

/** The event history, newest first: management events of ninety days. `cursor` undefined begins. */
export async function lookupPage(
  context: ConnectorContext,
  { from, to, attribute, count }: Lookup,
  cursor: string | undefined,
): Promise<VendorPage<JsonObject, string>> {
  const answer = await awsTarget(context, 'LookupEvents', {
    ...(from === undefined ? {} : { StartTime: epochSeconds(from) }),
    ...(to === undefined ? {} : { EndTime: epochSeconds(to) }),
    ...(attribute === undefined
      ? {}
      : { LookupAttributes: [{ AttributeKey: attribute.key, AttributeValue: attribute.value }] }),
    MaxResults: Math.min(count, EVENTS_PAGE),
    ...(cursor === undefined ? {} : { NextToken: cursor }),
  });
  if (!Array.isArray(answer.Events)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${AWS} answered without a list of events.`);
  }
  const next = textOf(answer, 'NextToken');
  return { items: objectsOf(answer.Events), next: next === null || next === '' ? undefined : next };
}

/** The event itself, which the answer carries as text; what the answer says about it where that is not JSON. */
export function eventOf(entry: JsonObject): JsonObject {
  const text = textOf(entry, 'CloudTrailEvent');
  if (text === null) return entry;
  try {
    const event = JSON.parse(text) as unknown;
    return isJsonObject(event) ? event : entry;
  } catch {
    return entry;
  }
}

/** Milliseconds; NaN when the entry has no time. */
export function entryTimeMs(entry: JsonObject): number {
  const time = entry.EventTime;
  if (typeof time === 'number') return time * 1000;
  return typeof time === 'string' ? Date.parse(time) : Number.NaN;
}

function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
