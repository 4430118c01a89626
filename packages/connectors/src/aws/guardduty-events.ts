import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import type { VendorPage } from '@airdeck/connector-kit/paging';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf, textOf } from '../answer-fields.ts';
import { fittingPage } from '../fitting-page.ts';
import { fetchByTime } from '../time-keyed-fetch.ts';
import { detectorId, FINDINGS_PAGE, type FindingsQuery, findingsPage } from './guardduty.ts';

/** The API may show a change some minutes late. */
const LATE_MS = 300_000;
/**
 * Pages of a burst are read by the vendor's tokens, and a finding that changes meanwhile moves those behind it one place to
 * the front, out of the next page. They are found by looking back after the last page: to where such a walk, which is given
 * up after `LATE_MS`, saw changes at its beginning.
 */
const OVERLAP_MS = 2 * LATE_MS;

/**
 * GuardDuty's findings as events, by their last change: one that goes on, the same finding with a later change, is an event
 * each time. Lists give ids only, so a finding can change after it was listed and before it is read. Then it has a time of
 * minutes ago at most, whatever its place in the list.
 */
export async function fetchFindings(context: FetchContext): Promise<FetchPage> {
  const severity = numberOf(context.options, 'min_severity');
  const detector = await detectorId(context);
  return fetchByTime(context, {
    vendor: 'GuardDuty',
    pageSize: FINDINGS_PAGE,
    overlapMs: OVERLAP_MS,
    keyOf: (finding) => keyOf(finding),
    timeOf: (finding) => Date.parse(textOf(finding, 'updatedAt') ?? ''),
    async page(from, next) {
      const criterion = {
        updatedAt: { greaterThanOrEqual: from.getTime() },
        ...(severity === null ? {} : { severity: { greaterThanOrEqual: Math.floor(severity) } }),
      };
      const { begunMs, token } = walkOf(next, context.now().getTime());
      const query: FindingsQuery = { detector, criterion, orderBy: 'ASC', count: FINDINGS_PAGE };
      const { page, isOutline } = await fittingPage(context, {
        pageSize: FINDINGS_PAGE,
        ask: (own, count) => pageOf(own, { ...query, count }, token),
        count: ({ items }) => items.length,
      });
      return {
        records: page.items,
        next: page.next === undefined ? undefined : `${begunMs} ${page.next}`,
        // By the token, not by how many there are: one may be gone before it is read.
        isFull: page.next !== undefined,
        settledMs: begunMs - LATE_MS,
        isOutline,
      };
    },
  });
}

/** When the walk along tokens began that `next` goes on with, or that a new one begins now. */
function walkOf(next: string | undefined, nowMs: number): { begunMs: number; token: string | undefined } {
  const [, begun, token] = /^(\d+) (.+)$/s.exec(next ?? '') ?? [];
  const isOver = token === undefined || nowMs - Number(begun) > LATE_MS;
  return isOver ? { begunMs: nowMs, token: undefined } : { begunMs: Number(begun), token };
}

async function pageOf(
  context: FetchContext,
  query: FindingsQuery,
  token: string | undefined,
): Promise<VendorPage<JsonObject, string>> {
  if (token !== undefined) {
    try {
      return await findingsPage(context, query, token);
    } catch (error) {
      // A token given long ago may have expired; the list is then read from its start, known findings left out.
      if (!(error instanceof VendorError) || error.code !== 'VENDOR_REJECTED') throw error;
    }
  }
  return findingsPage(context, query, undefined);
}

function keyOf(finding: JsonObject): string | null {
  const [id, changedAt] = [textOf(finding, 'id'), textOf(finding, 'updatedAt')];
  return id === null || changedAt === null ? null : `${id} ${changedAt}`;
}
