import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Language and zone of the tenant's first Admin, who has had longest to set them. Needs a system transaction. */
export async function findAdminHabits(
  tx: Tx,
  scope: TenantScope,
): Promise<{ locale: string; timeZone: string } | undefined> {
  return await tx
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.locale', 'u.timezone as timeZone'])
    .where('m.tenant_id', '=', scope.tenantId)
    .where('m.role', '=', 'Admin')
    .where('m.source', '=', 'direct')
    .where('u.status', '=', 'active')
    .orderBy('m.created_at')
    .orderBy('u.id')
    .limit(1)
    .executeTakeFirst();
}
