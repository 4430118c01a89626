import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { VendorCall } from '@airdeck/connector-kit/vendor-client';
import { textOf, textsOf } from '../answer-fields.ts';
import { fittingPage } from '../fitting-page.ts';
import { fetchByTime } from '../time-keyed-fetch.ts';
import { ALERTS } from './alerts.ts';
import { fetchValues, followLink, GRAPH, odataText } from './graph-client.ts';

/** With its evidence an alert takes up to some tens of kilobytes, and an answer may have ten megabytes. */
const PAGE_SIZE = 100;
/** `$skip` beyond is refused, and this list gives no links to next pages: the filter is moved on instead. */
const SKIP_MAX = 500;
/** Alerts become visible some time after the moment they carry. */
const OVERLAP_MS = 5 * 60_000;

/** Alerts in the order of their last change; one that changed again comes again, as a record of its own. */
export function fetchAlerts(context: FetchContext): Promise<FetchPage> {
  const sources = textsOf(context.options.service_sources);
  return fetchByTime(context, {
    vendor: GRAPH,
    pageSize: PAGE_SIZE,
    overlapMs: OVERLAP_MS,
    keyOf(alert) {
      const id = textOf(alert, 'id');
      return id === null ? null : `${id} ${textOf(alert, 'lastUpdateDateTime') ?? ''}`;
    },
    timeOf: (alert) => Date.parse(textOf(alert, 'lastUpdateDateTime') ?? ''),

    async page(from, next) {
      const skip = next === undefined || next.startsWith('http') ? 0 : Number(next);
      const { page, size, isOutline } = await fittingPage(context, {
        pageSize: PAGE_SIZE,
        ask: (own, top) =>
          fetchValues(
            own,
            next?.startsWith('http') === true
              ? withTop(followLink(own, next), top)
              : {
                  path: ALERTS,
                  query: {
                    $filter: filterOf(from, sources),
                    $orderby: 'lastUpdateDateTime asc',
                    $top: top,
                    $skip: skip === 0 ? undefined : skip,
                  },
                },
          ),
        count: ({ items }) => items.length,
      });
      const { items, link } = page;
      const beyond = skip + size <= SKIP_MAX ? String(skip + size) : undefined;
      return { records: items, next: link ?? beyond, isFull: link !== undefined || items.length >= size, isOutline };
    },
  });
}

/** A link repeats the size of the page it came with, which may have been a smaller one or be too large for this one. */
function withTop(call: VendorCall, top: number): VendorCall {
  const rawQuery = call.rawQuery?.replace(/(?<=(?:^|&)(?:\$|%24)top=)\d+/i, String(top));
  return rawQuery === undefined ? call : { ...call, rawQuery };
}

function filterOf(from: Date, sources: readonly string[]): string {
  const since = `lastUpdateDateTime ge ${from.toISOString()}`;
  if (sources.length === 0) return since;
  return `${since} and (${sources.map((source) => `serviceSource eq ${odataText(source)}`).join(' or ')})`;
}
