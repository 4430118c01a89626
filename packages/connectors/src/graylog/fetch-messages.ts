import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textOf } from '../answer-fields.ts';
import { fittingPage } from '../fitting-page.ts';
import { fetchByTime, firstFetchStart } from '../time-keyed-fetch.ts';
import { isoTime } from './get-triggered-alerts.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';

const PAGE_SIZE = 500;
/** The server hands out no more than this many results of one search, by offset. */
const RESULT_WINDOW = 10_000;
const DEFAULT_SETTLE_S = 30;
const STREAM_ID = /^[0-9a-f]{24}$/;

/**
 * Log messages in the order of their time, up to `settle_s` before now: what the server indexes later than that is not seen.
 * Waiting is better than looking back here: a busy server has too many messages a minute to remember each one's id.
 */
export async function fetchMessages(context: FetchContext): Promise<FetchPage> {
  const { options } = context;
  const settleS = typeof options.settle_s === 'number' && options.settle_s >= 0 ? options.settle_s : DEFAULT_SETTLE_S;
  const to = new Date(context.now().getTime() - settleS * 1000);
  // The first fetch of a connector that looks back less than it waits.
  if (context.cursor === null && firstFetchStart(context) >= to) {
    return { records: [], cursor: { start: to.toISOString(), from: to.toISOString() }, hasMore: false };
  }
  return fetchByTime(context, {
    vendor: GRAYLOG,
    pageSize: PAGE_SIZE,
    overlapMs: 0,
    keyOf: (message) => textOf(message, '_id'),
    timeOf: (message) => Date.parse(isoTime(message, 'timestamp') ?? ''),
    async page(from, next) {
      if (from > to) return { records: [], next: undefined };
      const offset = next === undefined ? 0 : Number(next);
      const {
        page: records,
        size,
        isOutline,
      } = await fittingPage(context, {
        pageSize: PAGE_SIZE,
        ask: (own, limit) => readMessages(own, { from, to, offset, limit }),
        count: (messages) => messages.length,
      });
      const beyond = offset + size;
      return {
        records,
        next: beyond + PAGE_SIZE <= RESULT_WINDOW ? String(beyond) : undefined,
        isFull: records.length >= size,
        isOutline,
      };
    },
  });
}

async function readMessages(
  context: FetchContext,
  { from, to, offset, limit }: { from: Date; to: Date; offset: number; limit: number },
): Promise<readonly JsonObject[]> {
  const { query, stream_id: streamId } = context.options;
  const body = await graylogClient.object(context, {
    path: '/search/universal/absolute',
    query: {
      query: typeof query === 'string' && query.trim() !== '' ? query : '*',
      from: from.toISOString(),
      to: to.toISOString(),
      limit,
      offset,
      sort: 'timestamp:asc',
      filter: typeof streamId === 'string' && STREAM_ID.test(streamId) ? `streams:${streamId}` : undefined,
    },
  });
  if (!Array.isArray(body.messages)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without messages.`);
  }
  return objectsOf(body.messages).map((hit) => objectOf(hit.message));
}
