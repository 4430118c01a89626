import { createHash } from 'node:crypto';
import type { FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { textOf } from '../answer-fields.ts';
import { fittingPage } from '../fitting-page.ts';
import { fetchByTime } from '../time-keyed-fetch.ts';
import { type GithubPage, githubPage, orgPath, withPageSize } from './github-client.ts';
import { entryTime } from './list-org-audit-log.ts';

const PAGE_SIZE = 100;
/** Entries arrive late and out of order. */
const OVERLAP_MS = 120_000;

/** The audit log as a source of events, oldest first. */
export function fetchAuditLog(context: FetchContext): Promise<FetchPage> {
  return fetchByTime(context, {
    vendor: 'GitHub',
    pageSize: PAGE_SIZE,
    overlapMs: OVERLAP_MS,
    keyOf: entryId,
    // The bound of a search counts in seconds, so the entries of one second are one moment.
    timeOf: (entry) => Math.floor((entryTime(entry) ?? Number.NaN) / 1000) * 1000,
    async page(from, next) {
      const { page, size, isOutline } = await fittingPage(context, {
        pageSize: PAGE_SIZE,
        ask: (own, count) => pageOf(own, { from, next, count }),
        count: ({ items }) => items.length,
      });
      return { records: page.items, next: page.nextQuery, isFull: page.items.length >= size, isOutline };
    },
  });
}

async function pageOf(
  context: FetchContext,
  { from, next, count }: { from: Date; next: string | undefined; count: number },
): Promise<GithubPage> {
  const path = orgPath(context, 'audit-log');
  if (next !== undefined) {
    try {
      return await githubPage(context, { path, rawQuery: withPageSize(next, count) });
    } catch (error) {
      // A page offered long ago may have expired; the same moment is then read from its start, known entries left out.
      if (!(error instanceof VendorError) || error.code !== 'VENDOR_REJECTED') throw error;
    }
  }
  const created = `created:>=${from.toISOString().replace(/\.\d{3}Z$/, 'Z')}`;
  const phrase = [textOf(context.options, 'phrase') ?? '', created].join(' ').trim();
  const include = textOf(context.options, 'include') ?? 'web';
  return githubPage(context, { path, query: { phrase, include, order: 'asc', per_page: count } });
}

/** GitHub's own id; entries of old servers without one are known by what they say. */
function entryId(entry: JsonObject): string {
  return (
    textOf(entry, '_document_id') ?? createHash('sha256').update(JSON.stringify(entry)).digest('base64url').slice(0, 22)
  );
}
