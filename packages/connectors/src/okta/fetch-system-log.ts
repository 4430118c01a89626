import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { nextLinkOf } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { objectsOf } from '../answer-fields.ts';
import { baseUrl } from '../config-values.ts';
import { fittingPage } from '../fitting-page.ts';
import { firstFetchStart } from '../time-keyed-fetch.ts';
import { OKTA, oktaClient } from './okta-client.ts';

/** Entries take some kilobytes each, and an answer may have ten megabytes. */
const PAGE_SIZE = 500;

/**
 * The System Log as a polling request: no `until`, so Okta goes by the order in which the log took entries in and ends
 * every page with a `next` link, the empty one too. Its `after` is the cursor: late entries and equal times are the
 * vendor's business. A page that is not full ends the round; what comes later is behind the same cursor.
 */
export async function fetchSystemLog(context: FetchContext): Promise<FetchPage> {
  const { cursor, options } = context;
  const since = typeof cursor?.since === 'string' ? cursor.since : firstFetchStart(context).toISOString();
  const after = typeof cursor?.after === 'string' ? cursor.after : undefined;
  const filter = typeof options.filter === 'string' && options.filter !== '' ? options.filter : undefined;
  const {
    page: answer,
    size,
    isOutline,
  } = await fittingPage(context, {
    pageSize: PAGE_SIZE,
    ask: (own, limit) =>
      oktaClient.call(own, {
        path: '/api/v1/logs',
        query: { since, filter, limit, sortOrder: 'ASCENDING', after },
      }),
    count: ({ body }) => objectsOf(body).length,
  });
  if (!Array.isArray(answer.body)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${OKTA} answered without a list.`);
  }
  const records = objectsOf(answer.body);
  const next = afterOf(nextLinkOf(answer.headers), baseUrl(context.config));
  // Going on from an old place would read the page again and again.
  if (records.length > 0 && (next === undefined || next === after)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', `${OKTA} answered without saying where its log goes on.`);
  }
  const position = next ?? after;
  return {
    ...(isOutline ? { records: [], leftOut: records.length } : { records }),
    cursor: { since, ...(position === undefined ? {} : { after: position }) },
    hasMore: records.length >= size,
  };
}

/** Only this parameter of the link is used, so it does not matter where the link leads. */
function afterOf(link: string | undefined, base: string): string | undefined {
  const url = link !== undefined && URL.canParse(link, base) ? new URL(link, base) : undefined;
  const after = url?.searchParams.get('after');
  return after === null || after === '' ? undefined : after;
}
