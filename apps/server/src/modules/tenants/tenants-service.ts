import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy, TenantsService } from './tenants-port.ts';
import {
  deleteMembership,
  findAccess,
  findMembership,
  findTenant,
  findUser,
  insertTenant,
  insertUser,
  listMemberships,
  putMembership,
  updateUserStatus,
} from './tenants-repository.ts';

export function createTenantsService(deps: { ids: () => string; audit: AuditLog }): TenantsService {
  const { ids, audit } = deps;

  async function tenantOf(tx: Tx, scope: TenantScope) {
    const row = await findTenant(tx, scope);
    if (row === undefined) throw new AppError('NOT_FOUND');
    return row;
  }

  return {
    get: tenantOf,
    tenantName: async (tx, scope) => (await tenantOf(tx, scope)).name,
    findAccess,
    findUser,
    findMembership,
    listMemberships,
    async createTenant(tx, { id = ids(), name, managedBy, skuInfo }, by) {
      await insertTenant(tx, { id, name, managed_by: managedBy, sku_info: skuInfo });
      await audit.record(tx, {
        ...entry(id, by),
        action: 'tenant.create',
        target: { kind: 'tenant', id },
        data: { name },
      });
      return id;
    },
    async createUser(tx, user, by) {
      const id = user.id ?? ids();
      await insertUser(tx, {
        id,
        uname: user.uname,
        fullname: user.fullname,
        email: user.email.toLowerCase(),
        home_tenant_id: user.homeTenant,
        locale: user.locale ?? 'en',
        identity_issuer: user.identity.issuer,
        identity_subject: user.identity.subject,
        status: 'active',
      });
      await audit.record(tx, { ...entry(user.homeTenant, by), action: 'user.create', target: { kind: 'user', id } });
      return id;
    },
    async addMembership(tx, { tenant, user, role }, by) {
      await putMembership(tx, { tenant_id: tenant, user_id: user, role });
      const target = { kind: 'user', id: user };
      await audit.record(tx, { ...entry(tenant, by), action: 'membership.set', target, data: { role } });
    },
    async removeMembership(tx, { tenant, user }, by) {
      await deleteMembership(tx, { tenant_id: tenant, user_id: user });
      await audit.record(tx, { ...entry(tenant, by), action: 'membership.remove', target: { kind: 'user', id: user } });
    },
    async setUserStatus(tx, userId, status, by) {
      const user = await findUser(tx, userId);
      if (user === undefined) throw new AppError('NOT_FOUND');
      await updateUserStatus(tx, userId, status);
      const target = { kind: 'user', id: userId };
      await audit.record(tx, {
        ...entry(user.home_tenant_id, by),
        action: 'user.set_status',
        target,
        data: { status },
      });
    },
  };
}

function entry(tenant: string, by: ChangedBy) {
  return { tenant, actor: by.actor, outcome: 'ok', request_id: by.requestId } as const;
}
