import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { GroupSuppressions, SuppressedGroup } from '../cases/case-suppressions-port.ts';

/**
 * Suppression of a group by a person, kept where that of its policy is kept: detection asks for nothing more. Events up
 * to the end, by their own time, open nothing; they are not made up for later.
 */
export const groupSuppressions: GroupSuppressions = {
  async lock(tx, scope, group) {
    await sql`
      insert into policy_group (tenant_id, policy_id, group_key)
      values (${scope.tenantId}::uuid, ${group.policyId}::uuid, ${group.groupKey})
      on conflict (tenant_id, policy_id, group_key) do update set touched_at = now()`.execute(tx);
  },
  async suppress(tx, scope, { until, ...group }) {
    await change(tx, scope, group, sql`greatest(suppressed_until, ${until}::timestamptz)`);
  },
  async end(tx, scope, { until, at, ...group }) {
    // A longer suppression, by the policy itself, goes on.
    const ended = sql`case when suppressed_until = ${until}::timestamptz then ${at}::timestamptz else suppressed_until end`;
    await change(tx, scope, group, ended);
  },
};

async function change(
  tx: Tx,
  scope: TenantScope,
  { policyId, groupKey }: SuppressedGroup,
  until: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    update policy_group set suppressed_until = ${until}
    where tenant_id = ${scope.tenantId} and policy_id = ${policyId} and group_key = ${groupKey}`.execute(tx);
}
