import { slaTargets } from '@airdeck/contracts/cases/sla';
import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';

export type OpenCases = { bySeverity: Record<CaseSeverity, number>; slaBreaches: number };

type Row = { tenant_id: string; severity: CaseSeverity; open: number; breached: number };

/**
 * Cases that are not closed, by tenant and severity, and how many of them are late: not acknowledged within the time to
 * respond, or not closed within the time to resolve. Tenants without open cases are left out. Needs a system transaction.
 */
export async function openCasesByTenant(
  tx: Tx,
  tenantIds: readonly string[],
  now: Date,
): Promise<Map<string, OpenCases>> {
  const respond = caseSeverities.map((severity) => slaTargets[severity].respondMinutes);
  const resolve = caseSeverities.map((severity) => slaTargets[severity].resolveMinutes);
  const { rows } = await sql<Row>`
    select c.tenant_id, c.severity, count(*)::int as open,
      count(*) filter (where ${now}::timestamptz > c.time_opened + make_interval(mins => t.resolve)
        or (c.time_acknowledged is null and ${now}::timestamptz > c.time_opened + make_interval(mins => t.respond)))::int as breached
    from case_record c
    join unnest(${[...caseSeverities]}::text[], ${respond}::int[], ${resolve}::int[]) as t (severity, respond, resolve)
      on t.severity = c.severity
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
