import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { textOf } from '../answer-fields.ts';
import { fittingPage } from '../fitting-page.ts';
import { fetchByTime } from '../time-keyed-fetch.ts';
import { callFalcon, FALCON, filterTerm, objectsIn } from './falcon-client.ts';

/** With its process tree an alert takes up to some tens of kilobytes, and an answer may have ten megabytes. */
const PAGE_SIZE = 200;
/** Alerts become visible some time after the moment they carry. */
const OVERLAP_MS = 5 * 60_000;

/** Alerts in the order of their last change; one that changed again comes again, as a record of its own. */
export function fetchAlerts(context: FetchContext): Promise<FetchPage> {
  const { min_severity: severity } = context.options;
  const severityTerm = typeof severity === 'number' && severity > 0 ? `+severity:>=${Math.trunc(severity)}` : '';
  return fetchByTime(context, {
    vendor: FALCON,
    pageSize: PAGE_SIZE,
    overlapMs: OVERLAP_MS,
    keyOf(alert) {
      const id = textOf(alert, 'composite_id');
      return id === null ? null : `${id} ${textOf(alert, 'updated_timestamp') ?? ''}`;
    },
    timeOf: (alert) => Date.parse(textOf(alert, 'updated_timestamp') ?? ''),
    async page(from, next) {
      const filter = `${filterTerm('updated_timestamp', from.toISOString(), '>=')}${severityTerm}`;
      const {
        page: answer,
        size,
        isOutline,
      } = await fittingPage(context, {
        pageSize: PAGE_SIZE,
        ask: (own, limit) =>
          callFalcon(own, {
            method: 'POST',
            path: '/alerts/combined/alerts/v1',
            json: {
              filter,
              sort: 'updated_timestamp|asc',
              limit,
              ...(next === undefined ? {} : { after: next }),
            },
            reads: true,
          }),
        count: ({ resources }) => resources.length,
      });
      const records = objectsIn(answer);
      const { after, total } = answer;
      // A full page is the last one too where no token leads on from one that was reached by a token, or where it has all.
      const isLast = after === undefined && (next !== undefined || (total !== null && total <= records.length));
      return { records, next: after, isFull: records.length >= size && !isLast, isOutline };
    },
  });
}
