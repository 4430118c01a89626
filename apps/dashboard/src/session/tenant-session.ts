import type { CurrentUser } from '@airdeck/contracts/me/schema';
import type { Session } from './session-store.ts';

/**
 * The session a user has in a tenant, or undefined without membership: no role is ever implied. The owner flag means
 * the user's own tenant (spec §4).
 */
export function sessionIn(me: CurrentUser, tenantId: string): Session | undefined {
  const role = me.tenant_roles[tenantId];
  const tenant = me.tenants[tenantId];
  if (role === undefined || tenant === undefined || !me.allowed_tenants.some(({ id }) => id === tenantId)) {
    return undefined;
  }
  const { sku_info } = tenant;
  return {
    currentTenant: tenantId,
    currentRole: role,
    currentSKU: {
      is_search_enabled: sku_info.is_search_enabled,
      is_mdr_enabled: sku_info.is_mdr_enabled,
      sku_info,
    },
    isOwnerTenant: tenantId === me.user.tenant,
  };
}

/**
 * The session to work in: the asked-for tenant, else the stored one, else the user's own, else the first allowed. Role
 * and plan come from the user as just loaded, so a stored session never outlives what it says.
 */
export function presentSession(me: CurrentUser, wanted: readonly (string | undefined)[]): Session | undefined {
  const candidates = [...wanted, me.user.tenant, ...me.allowed_tenants.map(({ id }) => id)];
  for (const id of candidates) {
    const session = id === undefined ? undefined : sessionIn(me, id);
    if (session !== undefined) return session;
  }
  return undefined;
}

export function isSameSession(one: Session | undefined, other: Session): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
