/** What policies say of their cases. */
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { referenceOf } from './case-view.ts';

export type CasesOfPolicy = {
  readonly newest: { readonly id: string; readonly reference: string; readonly openedAt: Date };
  readonly open: number;
};

/** By policy; policies without a case are not there. */
export async function casesOfPolicies(
  tx: Tx,
  scope: TenantScope,
  policyIds: readonly string[],
): Promise<ReadonlyMap<string, CasesOfPolicy>> {
  if (policyIds.length === 0) return new Map();
  const { rows } = await sql<{ policy_id: string; id: string; number: number; time_opened: Date; open: number }>`
    select p.id as policy_id, c.id, c.number, c.time_opened,
      (select count(*)::int from case_record o
        where o.tenant_id = ${scope.tenantId} and o.policy_id = p.id and o.status <> 'closed') as open
    from unnest(${policyIds}::uuid[]) as p (id)
    cross join lateral (
      select id, number, time_opened from case_record
      where tenant_id = ${scope.tenantId} and policy_id = p.id
      order by time_opened desc, id desc limit 1) c`.execute(tx);
  return new Map(
    rows.map(({ policy_id, id, number, time_opened: openedAt, open }) => [
      policy_id,
      { newest: { id, reference: referenceOf(number), openedAt }, open },
    ]),
  );
}
