import type { SearchContext, SearchHit } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textOf } from '../answer-fields.ts';
import { baseUrl } from '../config-values.ts';
import { isoTime } from './get-triggered-alerts.ts';
import { GRAYLOG, graylogClient } from './graylog-client.ts';

/** The server hands out no more than this many results of one search. */
const RESULT_WINDOW = 10_000;
/** Messages of the very end of the range, which may or may not be among those that are handed out. */
const ON_THE_END = 50;

/**
 * Log messages with all of their fields, newest first. Asked through the older search, because the newer one returns only
 * fields that are named beforehand; whether the end belongs to the range differs, so what lies on it is left out here.
 */
export async function searchLive(context: SearchContext): Promise<readonly SearchHit[]> {
  const { query, start, end, limit } = context;
  const body = await graylogClient.object(context, {
    path: '/search/universal/absolute',
    query: {
      query,
      from: start.toISOString(),
      to: end.toISOString(),
      limit: Math.min(limit + ON_THE_END, RESULT_WINDOW),
      sort: 'timestamp:desc',
    },
  });
  if (!Array.isArray(body.messages)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${GRAYLOG} answered without messages.`);
  }
  const web = webAddress(context.config);
  const hits = objectsOf(body.messages).flatMap((hit) => {
    const record = objectOf(hit.message);
    const id = textOf(record, '_id');
    const at = new Date(isoTime(record, 'timestamp') ?? Number.NaN);
    const isInside = at >= start && at < end;
    return id === null || !isInside ? [] : [{ id, at, record, link: linkOf(web, textOf(hit, 'index'), id) }];
  });
  return hits.slice(0, limit);
}

/** Graylog serves its own screens where its API is, without the `/api`; behind another path nobody knows where they are. */
function webAddress(config: JsonObject): string | undefined {
  const { origin, pathname } = new URL(baseUrl(config));
  return pathname.endsWith('/api') ? `${origin}${pathname.slice(0, -'/api'.length)}` : undefined;
}

function linkOf(web: string | undefined, index: string | null, id: string): string | undefined {
  if (web === undefined || index === null) return undefined;
  return `${web}/messages/${encodeURIComponent(index)}/${encodeURIComponent(id)}`;
}
