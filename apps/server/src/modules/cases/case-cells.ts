/**
 * Counts of cases by what they can be filtered by, kept for a moment: counting looks at every case of the tenant, and a
 * list is asked for far more often than a case changes.
 *
 * What this process commits to a case or a policy counts at once, because the commit empties what is kept of its tenant; what another
 * process commits counts within a second, and as soon as `clear` is called.
 */
import type { CaseListQuery } from '@airdeck/contracts/cases/schema';
import type { Database } from '../../storage/database.ts';
import { createReadCache } from '../../storage/read-cache.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type FacetCell, readFacetCells } from './case-reads.ts';

const KEPT_FOR_MS = 1000;
const KEPT_MAX = 1000;

export type CaseCells = {
  read(tx: Tx, scope: TenantScope, query: CaseListQuery): Promise<readonly FacetCell[]>;
  clear(tenantId: string): void;
};

export function createCaseCells(deps: { db: Pick<Database, 'afterCommit'>; now: () => Date }): CaseCells {
  const cache = createReadCache<readonly FacetCell[]>({ keptForMs: KEPT_FOR_MS, max: KEPT_MAX, now: deps.now });
  // Which cases a technique has is said by the policies.
  deps.db.afterCommit(['case_record', 'policy'], cache.clear);
  cache.setOn(true);
  return {
    clear: cache.clear,
    read(tx, scope, query) {
      // Exactly what the counting depends on besides the cases.
      const { start_time: start, end_time: end, q, policy, technique, figure } = query;
      return cache.get(scope.tenantId + JSON.stringify([start, end, q, policy, technique, figure]), () =>
        readFacetCells(tx, scope, query),
      );
    },
  };
}
