import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Those of these names who are members of the tenant and may sign in. */
export async function membersAmong(
  tx: Tx,
  scope: TenantScope,
  usernames: readonly string[],
): Promise<ReadonlySet<string>> {
  if (usernames.length === 0) return new Set();
  const rows = await tx
    .selectFrom('app_user')
    .innerJoin('membership', 'membership.user_id', 'app_user.id')
    .select('app_user.uname')
    .where('membership.tenant_id', '=', scope.tenantId)
    .where('app_user.status', '=', 'active')
    .where('app_user.uname', 'in', [...usernames])
    .execute();
  return new Set(rows.map(({ uname }) => uname));
}
