import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { countOfLate } from './case-figure-conditions.ts';

export type OpenCases = { bySeverity: Record<CaseSeverity, number>; slaBreaches: number };

type Row = { tenant_id: string; severity: CaseSeverity; open: number; breached: number };

/**
 * Cases that are not closed, by tenant and severity, and how many of them are late, as every figure counts them. Tenants
 * without open cases are left out. Needs a system transaction.
 */
export async function openCasesByTenant(
  tx: Tx,
  tenantIds: readonly string[],
  now: Date,
): Promise<Map<string, OpenCases>> {
  const { rows } = await sql<Row>`
    select c.tenant_id, c.severity, count(*)::int as open,
      ${countOfLate(now)} as breached
    from case_record c
    where c.tenant_id = any(${tenantIds}::uuid[]) and c.status in ('open', 'acknowledged')
    group by c.tenant_id, c.severity`.execute(tx);
  const found = new Map<string, OpenCases>();
  for (const row of rows) {
    const tenant = found.get(row.tenant_id) ?? {
      bySeverity: { low: 0, medium: 0, high: 0, critical: 0 },
      slaBreaches: 0,
    };
    tenant.bySeverity[row.severity] = row.open;
    tenant.slaBreaches += row.breached;
    found.set(row.tenant_id, tenant);
  }
  return found;
}
