/**
 * Overviews, each kept for a moment: counting a year of cases is the costliest thing a screen asks for, and every open
 * screen of a tenant asks for the same.
 */
import type { AirOverview, airOverviewQuerySchema } from '@airdeck/contracts/air-overview/schema';
import type { z } from 'zod';
import type { Database } from '../../storage/database.ts';
import { createReadCache } from '../../storage/read-cache.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { reportRange } from '../activity-report/report-range.ts';
import { readOverview } from './case-overview.ts';

const KEPT_FOR_MS = 5000;
const KEPT_MAX = 200;

type Query = z.output<typeof airOverviewQuerySchema>;

export function createOverviews({ db, now }: { db: Pick<Database, 'read' | 'afterCommit'>; now: () => Date }) {
  const cache = createReadCache<AirOverview>({ keptForMs: KEPT_FOR_MS, max: KEPT_MAX, now });
  db.afterCommit(['case_record', 'case_response', 'policy'], cache.clear);
  cache.setOn(true);

  return (scope: TenantScope, query: Query): Promise<AirOverview> =>
    // The tenant first: whatever the query says, an overview of one tenant is never found by another.
    cache.get(scope.tenantId + JSON.stringify([query.start_time, query.end_time, query.time_zone]), () => {
      const range = reportRange(query, now());
      return db.read(scope.tenantId, (tx) => readOverview(tx, scope, range));
    });
}
