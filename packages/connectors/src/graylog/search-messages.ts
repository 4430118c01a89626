import type { ActionContext } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textOf, textsOf } from '../answer-fields.ts';
import { inputTime, reversedTimes } from '../time-input.ts';
import { inputCount, inputText, limitSchema, optionalText } from '../vendor-action.ts';
import { graylogAction } from './graylog-action.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';

const LIMIT = { fallback: 100, max: 1000 };
const HOUR_MS = 3_600_000;
const STREAM_ID = /^[0-9a-f]{24}$/;
const DEFAULT_FIELDS = ['timestamp', 'source', 'message'];

export const searchMessages = graylogAction({
  verb: 'search_messages',
  friendly_name: 'Search messages',
  description: 'Searches log messages, newest first.',
  effect: 'reads',
  idempotent: true,
  inputProblems: reversedTimes,
  input: {
    query: {
      type: 'string',
      title: 'Query',
      description: "In Graylog's search language, such as source:dc-1.",
      minLength: 1,
      maxLength: 4000,
    },
    start_time: { type: 'string', title: 'From', description: 'Default: an hour before the end.', maxLength: 40 },
    end_time: { type: 'string', title: 'Until', description: 'Default: now.', maxLength: 40 },
    stream_id: { type: 'string', title: 'Stream', description: 'Its id. Empty: all.', maxLength: 24 },
    fields: {
      type: 'array',
      title: 'Fields',
      items: { type: 'string', minLength: 1, maxLength: 200 },
      maxItems: 50,
      default: DEFAULT_FIELDS,
    },
    limit: limitSchema(LIMIT.fallback, LIMIT.max),
  },
  required: ['query'],
  output: { messages: { type: 'array', items: { type: 'object' } }, count: { type: 'integer' } },
  timeout_s: 60,

  async run(context) {
    const search = searchOf(context);
    const found = (await searchByColumns(context, search)) ?? (await searchLegacy(context, search));
    return { messages: found, count: found.length };
  },
});

type Search = {
  readonly query: string;
  readonly from: string;
  readonly to: string;
  readonly streamId: string | undefined;
  readonly fields: readonly string[];
  readonly limit: number;
};

function searchOf(context: ActionContext): Search {
  const to = inputTime(context, 'end_time') ?? context.now();
  const from = inputTime(context, 'start_time') ?? new Date(to.getTime() - HOUR_MS);
  const fields = textsOf(context.input.fields).filter((field) => field !== '');
  return {
    query: inputText(context, 'query', { max: 4000 }),
    from: from.toISOString(),
    to: to.toISOString(),
    streamId: optionalText(context, 'stream_id', { max: 24, pattern: STREAM_ID, like: '24 hexadecimal digits' }),
    fields: fields.length === 0 ? DEFAULT_FIELDS : fields.slice(0, 50),
    limit: inputCount(context, 'limit', LIMIT),
  };
}

/** Undefined on servers that do not have this search yet. Rows come as columns in the order of `schema`. */
async function searchByColumns(context: ActionContext, search: Search): Promise<readonly JsonObject[] | undefined> {
  const { query, from, to, streamId, fields, limit } = search;
  const answer = await graylogClient.call(context, {
    method: 'POST',
    path: '/search/messages',
    reads: true,
    accept: [404],
    json: {
      query,
      streams: streamId === undefined ? [] : [streamId],
      timerange: { type: 'absolute', from, to },
      sort: 'timestamp',
      sort_order: 'Descending',
      from: 0,
      size: limit,
      fields,
    },
  });
  if (answer.status === 404) return undefined;
  const { schema, datarows } = objectOf(answer.body);
  if (!Array.isArray(schema) || !Array.isArray(datarows)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without rows.`);
  }
  const names = objectsOf(schema).map((column) => textOf(column, 'field') ?? '');
  return datarows
    .filter(Array.isArray)
    .map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])));
}

async function searchLegacy(context: ActionContext, search: Search): Promise<readonly JsonObject[]> {
  const { query, from, to, streamId, fields, limit } = search;
  const body = await graylogClient.object(context, {
    path: '/search/universal/absolute',
    query: {
      query,
      from,
      to,
      limit,
      sort: 'timestamp:desc',
      fields: fields.join(','),
      filter: streamId === undefined ? undefined : `streams:${streamId}`,
    },
  });
  const messages = objectsOf(body.messages).map((hit) => objectOf(hit.message));
  return messages.map((message) => Object.fromEntries(fields.map((field) => [field, message[field] ?? null])));
}
