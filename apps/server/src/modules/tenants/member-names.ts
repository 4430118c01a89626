import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole, type Role, roles } from '@airdeck/contracts/access/roles';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

type NamesAmong = (tx: Tx, scope: TenantScope, usernames: readonly string[]) => Promise<ReadonlySet<string>>;

/** Those of these names who are members of the tenant and may sign in. */
export const membersAmong: NamesAmong = (tx, scope, usernames) =>
  namesAmong(tx, scope, { usernames, from: 'ReadOnly' });

/** Those of them who may be given a case: who only reads could not work on it. */
export const assignableAmong: NamesAmong = (tx, scope, usernames) =>
  namesAmong(tx, scope, { usernames, from: requirements.airWork.role });

/** Those of them who may answer the questions of playbooks. */
export const approversAmong: NamesAmong = (tx, scope, usernames) =>
  namesAmong(tx, scope, { usernames, from: requirements.playbooks.role });

async function namesAmong(
  tx: Tx,
  scope: TenantScope,
  { usernames, from }: { usernames: readonly string[]; from: Role },
): Promise<ReadonlySet<string>> {
  if (usernames.length === 0) return new Set();
  const rows = await tx
    .selectFrom('app_user')
    .innerJoin('membership', 'membership.user_id', 'app_user.id')
    .select('app_user.uname')
    .where('membership.tenant_id', '=', scope.tenantId)
    .where('app_user.status', '=', 'active')
    .where('app_user.uname', 'in', [...usernames])
    .where(
      'membership.role',
      'in',
      roles.filter((role) => hasRole(role, from)),
    )
    .execute();
  return new Set(rows.map(({ uname }) => uname));
}
