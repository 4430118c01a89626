/**
 * Pages of cases, each kept for a moment: the same page is asked for by every open screen of a tenant, again and again.
 *
 * What always holds:
 * - A change this process commits counts for the next request: the commit empties what is kept of its tenant before its
 *   caller goes on. Of other tenants it leaves everything, unless it was made for all of them together.
 * - A change of a case another process commits is announced when it commits, and counts once that is heard, before any
 *   screen hears of it; one of a policy, by whose techniques a list may be narrowed, within a second. While announcements
 *   cannot be heard, nothing is kept; and nothing is kept longer than a second.
 * - A page asked for before a change is given to who was waiting for it, but never kept.
 */
import type { CaseList, CaseListQuery } from '@airdeck/contracts/cases/schema';
import { KeptAnswer } from '../../http/kept-answer.ts';
import type { Database } from '../../storage/database.ts';
import { createReadCache } from '../../storage/read-cache.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ChangeFeed } from '../stream/changes.ts';

const KEPT_FOR_MS = 1000;
/** A page of a hundred cases is about 100 kB of text. */
const KEPT_MAX = 200;

export type CaseLists = {
  read(scope: TenantScope, query: CaseListQuery): Promise<KeptAnswer<CaseList>>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

type Dependencies = {
  db: Pick<Database, 'read' | 'afterCommit'>;
  feed: ChangeFeed;
  now: () => Date;
  list: (tx: Tx, scope: TenantScope, query: CaseListQuery) => Promise<CaseList>;
  /** What else is kept about a tenant's cases. */
  clearCounts: (tenantId: string) => void;
};

export function createCaseLists({ db, feed, now, list, clearCounts }: Dependencies): CaseLists {
  const cache = createReadCache<KeptAnswer<CaseList>>({ keptForMs: KEPT_FOR_MS, max: KEPT_MAX, now });
  const ends: (() => unknown)[] = [];

  return {
    read: (scope, query) =>
      // The tenant first: whatever the query says, a page of one tenant is never found by another.
      cache.get(scope.tenantId + JSON.stringify(query), async () => {
        const page = await db.read(scope.tenantId, (tx) => list(tx, scope, query));
        return new KeptAnswer(page);
      }),
    async start() {
      ends.push(db.afterCommit(['case_record', 'case_response', 'policy'], cache.clear));
      ends.push(
        await feed.listen({
          changed({ kind, tenant }) {
            if (kind !== 'case') return;
            clearCounts(tenant);
            cache.clear(tenant);
          },
          hears: () => cache.setOn(true),
          deaf: () => cache.setOn(false),
        }),
      );
      cache.setOn(true);
    },
    async stop() {
      cache.setOn(false);
      for (const end of ends.splice(0)) await end();
    },
  };
}
