import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { nextLinkOf } from '@airdeck/connector-kit/paging';
import type { StatedFailure, VendorAnswer } from '@airdeck/connector-kit/vendor-client';
import { createVendorClient } from '@airdeck/connector-kit/vendor-client';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject, objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textOf } from '../answer-fields.ts';
import { baseUrl, configText } from '../config-values.ts';
import { actionFactory } from '../vendor-action.ts';

export const servicenowOwner = { definition_id: 'servicenow', vendor: 'ServiceNow', product: 'ServiceNow' } as const;

export const servicenowAction = actionFactory(servicenowOwner);

/** Paths are below `/api/now`. */
export const servicenowClient = createVendorClient({
  vendor: 'ServiceNow',
  baseUrl: (config) => `${baseUrl(config)}/api/now`,
  authorize: ({ config }) => ({
    authorization: `Basic ${Buffer.from(`${configText(config, 'username')}:${configText(config, 'password')}`).toString('base64')}`,
  }),
  failure: statedFailure,
});

/** `result` of an answer about one record. */
export async function recordOf(
  context: ConnectorContext,
  call: Parameters<typeof servicenowClient.object>[1],
): Promise<JsonObject> {
  const { result } = await servicenowClient.object(context, call);
  if (isJsonObject(result)) return result;
  throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'ServiceNow answered without a result.');
}

export type TablePage = {
  readonly records: readonly JsonObject[];
  readonly total: number | null;
  /** Offset of the next page; undefined on the last one. */
  readonly next: number | undefined;
};

export type TableQuery = {
  readonly query: string;
  readonly limit: number;
  readonly offset?: number;
  readonly fields?: readonly string[];
};

/**
 * One page of a table. `table` is a name of letters, digits and underscores, checked by the caller. The instance counts
 * limit, offset and total before it leaves out what the account may not read: the next page begins a whole page further,
 * however few records are in this one. Without total and link only a page with no record at all is taken for the end.
 */
export async function tablePage(context: ConnectorContext, table: string, query: TableQuery): Promise<TablePage> {
  const answer = await servicenowClient.call(context, {
    path: `/table/${table}`,
    query: {
      sysparm_query: query.query === '' ? undefined : query.query,
      sysparm_limit: query.limit,
      sysparm_offset: query.offset ?? 0,
      sysparm_fields: query.fields === undefined ? undefined : query.fields.join(','),
      sysparm_display_value: false,
    },
  });
  const { result } = objectOf(answer.body);
  if (!Array.isArray(result))
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'ServiceNow answered without a result.');
  const records = objectsOf(result);
  const count = Number(answer.headers['x-total-count'] ?? Number.NaN);
  const total = Number.isInteger(count) && count >= 0 ? count : null;
  const beyond = (query.offset ?? 0) + query.limit;
  const hasNext = total === null ? nextLinkOf(answer.headers) !== undefined || records.length > 0 : beyond < total;
  return { records, total, next: hasNext ? beyond : undefined };
}

/** References come as `{link, value}`, other fields as text; an empty text is no value. */
export function fieldOf(record: JsonObject, field: string): string | null {
  const value = textOf(record, field) ?? textOf(objectOf(record[field]), 'value');
  return value === '' ? null : value;
}

/** `2025-06-07 21:14:02`, which is UTC, as ISO 8601. */
export function timeOf(record: JsonObject, field: string): string | null {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(fieldOf(record, field) ?? '');
  return match === null ? null : `${match[1]}T${match[2]}Z`;
}

function statedFailure({ status, body }: VendorAnswer): StatedFailure | undefined {
  const data = objectOf(body);
  const error = objectOf(data.error);
  const words = [textOf(error, 'message'), textOf(error, 'detail')].filter((part) => part !== null && part !== '');
  if (status < 400 && data.status !== 'failure') return undefined;
  return { detail: words.join('; ') };
}
