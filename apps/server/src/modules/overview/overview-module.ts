import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import type { Caller, Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { caseMeansByTenant, meansByType } from '../cases/case-means.ts';
import { openCasesByTenant } from '../cases/open-cases.ts';
import { lowerRole } from '../me/lower-role.ts';
import { mostUrgentFirst } from './most-urgent-first.ts';
import { connectorsByTenant, lastEventByTenant, listVisibleTenants, noConnectors } from './overview-repository.ts';

const FIGURES_MS = 7 * 24 * 3_600_000;
const noMeans = { automated_mttd: null, manual_mttd: null, automated_mttr: null, manual_mttr: null };
const noCases = { bySeverity: { low: 0, medium: 0, high: 0, critical: 0 }, slaBreaches: 0 };

type Dependencies = { db: Pick<Database, 'system'>; now: () => Date };

export type OverviewModule = { handlers: Handlers<'overview.list'> };

export function createOverviewModule(deps: Dependencies): OverviewModule {
  return { handlers: { 'overview.list': (_request, { caller }) => overviewOf(deps, caller) } };
}

/** All tenants of the caller in five reads, whatever number of tenants that is. */
async function overviewOf({ db, now }: Dependencies, caller: Caller): Promise<TenantOverview[]> {
  const end = now();
  const found = await db.system(async (tx) => {
    const tenants = await listVisibleTenants(tx, caller.userId, caller.apiKey?.tenant);
    const ids = tenants.map(({ id }) => id);
    return {
      tenants,
      cases: await openCasesByTenant(tx, ids, end),
      means: await caseMeansByTenant(tx, ids, { start: new Date(end.getTime() - FIGURES_MS), end }),
      connectors: await connectorsByTenant(tx, ids),
      lastEvent: await lastEventByTenant(tx, ids),
    };
  });
  return found.tenants
    .map(({ automation_enabled, role, ...tenant }): TenantOverview => {
      const { bySeverity, slaBreaches } = found.cases.get(tenant.id) ?? noCases;
      return {
        ...tenant,
        role: caller.apiKey === undefined ? role : lowerRole(role, caller.apiKey.role),
        open_cases: bySeverity,
        sla_breaches: slaBreaches,
        connectors: found.connectors.get(tenant.id) ?? noConnectors,
        last_event_at: found.lastEvent.get(tenant.id)?.toISOString() ?? null,
        automation_enabled,
        ...meansByType(found.means.get(tenant.id) ?? noMeans),
      };
    })
    .sort(mostUrgentFirst);
}
