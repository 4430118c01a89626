import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';

/** Seconds; null where there is nothing to average. */
export type CaseMeans = {
  automated_mttd: number | null;
  manual_mttd: number | null;
  automated_mttr: number | null;
  manual_mttr: number | null;
};

/**
 * Times of a case as intervals, which add up ten times faster than seconds; null where it lacks one of the two:
 * - automated MTTD: first matching event → case opened, of cases a policy opened
 * - manual MTTD: opened → first acknowledged by a person
 * - automated MTTR: opened → first successful automated response, or closed by automation, whichever came first
 * - manual MTTR: opened → closed by a person; a reopened case counts again once it is closed again
 */
export const caseMeasures: Readonly<Record<keyof CaseMeans, RawBuilder<unknown>>> = {
  automated_mttd: sql`case when alert_type = 'policy' then ${timeFrom(sql`opened_at`, sql`time_opened`)} end`,
  manual_mttd: timeFrom(sql`time_opened`, sql`time_acknowledged`),
  automated_mttr: timeFrom(
    sql`time_opened`,
    sql`least(automated_response_at, case when closed_by_person then null else time_closed end)`,
  ),
  manual_mttr: sql`case when closed_by_person then ${timeFrom(sql`time_opened`, sql`time_closed`)} end`,
};

/** Seconds, over a set of cases. */
export const meansOfCases = sql<CaseMeans>`jsonb_build_object(
  'automated_mttd', ${mean(caseMeasures.automated_mttd)},
  'manual_mttd', ${mean(caseMeasures.manual_mttd)},
  'automated_mttr', ${mean(caseMeasures.automated_mttr)},
  'manual_mttr', ${mean(caseMeasures.manual_mttr)}
)`;

/** Means of each tenant over its cases opened in `[start, end)`; tenants without any are left out. Needs a system transaction. */
export async function caseMeansByTenant(
  tx: Tx,
  tenantIds: readonly string[],
  { start, end }: { start: Date; end: Date },
): Promise<Map<string, CaseMeans>> {
  const { rows } = await sql<{ tenant_id: string; means: CaseMeans }>`
    select tenant_id, ${meansOfCases} as means from case_record
    where tenant_id = any(${tenantIds}::uuid[]) and time_opened >= ${start} and time_opened < ${end}
    group by tenant_id`.execute(tx);
  return new Map(rows.map(({ tenant_id, means }) => [tenant_id, means]));
}

export function meansByType(means: CaseMeans): Pick<Dashboard, 'mttr_by_type' | 'mttd_by_type'> {
  const { automated_mttd, manual_mttd, automated_mttr, manual_mttr } = means;
  return { mttr_by_type: { manual_mttr, automated_mttr }, mttd_by_type: { manual_mttd, automated_mttd } };
}

/** Never negative: a source's clock may run ahead of ours. Null when `to` is, which `greatest` alone would pass over. */
function timeFrom(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${to} is null then null else greatest(${to} - ${from}, interval '0') end`;
}

function mean(measure: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`extract(epoch from avg(${measure}))::float8`;
}
