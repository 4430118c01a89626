/**
 * Reads across tenants, in system transactions. The caller's memberships are the only filter: every later read takes the
 * ids the first one found, and nothing that the caller sent.
 */
import type { Role } from '@airdeck/contracts/access/roles';
import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';

export type VisibleTenant = {
  id: string;
  name: string;
  managed_by: string | null;
  is_provider: boolean;
  role: Role;
  sku_name: string;
  automation_enabled: boolean;
};

/** `only`: the one tenant an API key opens. */
export async function listVisibleTenants(tx: Tx, userId: string, only: string | undefined): Promise<VisibleTenant[]> {
  let query = tx
    .selectFrom('membership as m')
    .innerJoin('tenant as t', 't.id', 'm.tenant_id')
    .leftJoin('tenant_settings as s', 's.tenant_id', 't.id')
    .select(['t.id', 't.name', 't.managed_by', 't.is_provider', 'm.role'])
    .select((eb) => [
      sql<string>`t.sku_info ->> 'sku_name'`.as('sku_name'),
      eb.fn.coalesce('s.automation_enabled', sql<boolean>`true`).as('automation_enabled'),
    ])
    .where('m.user_id', '=', userId);
  if (only !== undefined) query = query.where('t.id', '=', only);
  return await query.execute();
}

type ConnectorCounts = TenantOverview['connectors'];

export async function connectorsByTenant(tx: Tx, tenantIds: readonly string[]): Promise<Map<string, ConnectorCounts>> {
  const { rows } = await sql<{ tenant_id: string; state: keyof ConnectorCounts; count: number }>`
    select tenant_id, case when enabled then state else 'paused' end as state, count(*)::int as count
    from connector where tenant_id = any(${tenantIds}::uuid[]) group by 1, 2`.execute(tx);
  const found = new Map<string, ConnectorCounts>();
  for (const { tenant_id, state, count } of rows) {
    found.set(tenant_id, { ...(found.get(tenant_id) ?? noConnectors), [state]: count });
  }
  return found;
}

export const noConnectors: ConnectorCounts = { active: 0, paused: 0, error: 0, pending: 0 };

/** When the last event arrived, by whichever source. Each source costs one probe of an index, however much it sent. */
export async function lastEventByTenant(tx: Tx, tenantIds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ tenant_id: string; at: Date }>`
    select s.tenant_id, max(a.last_event_at) as at
    from event_source s
    cross join lateral (
      select h.last_event_at from source_arrival_hour h where h.source_id = s.id order by h.hour desc limit 1) a
    where s.tenant_id = any(${tenantIds}::uuid[])
    group by s.tenant_id`.execute(tx);
  return new Map(rows.map(({ tenant_id, at }) => [tenant_id, at]));
}
