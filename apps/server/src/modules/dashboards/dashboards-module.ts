import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { dashboardWindow } from './dashboard-window.ts';
import { firstSteps } from './first-steps.ts';

/** Figures of cases: everything of the home page that is not about the events themselves. */
type CaseFigures = (
  tx: Tx,
  scope: TenantScope,
  period: { start: Date; end: Date; limit: number; buckets: number; bucketMs: number },
) => Promise<Omit<Dashboard, 'log_count' | 'log_size' | 'log_history'>>;

type Volume = {
  read(
    tx: Tx,
    scope: TenantScope,
    period: { start: Date; end: Date; buckets: number; bucketMs: number; now: Date },
  ): Promise<{ events: number; bytes: number; history: Dashboard['log_history'] }>;
};

export type DashboardsModule = { handlers: Handlers<'dashboards.get' | 'first-steps.get'> };

export function createDashboardsModule(deps: {
  db: Pick<Database, 'tenant'>;
  now: () => Date;
  volume: Volume;
  caseFigures: CaseFigures;
}): DashboardsModule {
  const { db, now, volume, caseFigures } = deps;
  return {
    handlers: {
      'dashboards.get': ({ query }, { scope }) => {
        const at = now();
        const window = dashboardWindow(query, at);
        return db.tenant(scope.tenantId, async (tx) => {
          const events = await volume.read(tx, scope, { ...window, now: at });
          const cases = await caseFigures(tx, scope, { ...window, limit: query.limit });
          return { log_count: events.events, log_size: events.bytes, log_history: events.history, ...cases };
        });
      },
      'first-steps.get': (_request, { scope }) => db.tenant(scope.tenantId, (tx) => firstSteps(tx, scope)),
    },
  };
}
