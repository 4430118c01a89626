import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole, type Role } from '@airdeck/contracts/access/roles';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ApproverLeft } from '../activity/approver-left.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { CasePeople, Leaving } from '../cases/case-people.ts';
import type { ApiKeysService } from '../me/api-keys-port.ts';
import type { ChangedBy, MembershipChange, TenantsService, UserRow } from './tenants-port.ts';
import {
  deleteAllMemberships,
  deleteMembership,
  deleteProviderMemberships,
  eraseUser,
  findAccess,
  findMembership,
  findTenant,
  findUser,
  giveHome,
  holdProviderRole,
  insertTenant,
  insertUser,
  listAdmins,
  listMemberships,
  lockTenant,
  lockUser,
  moveHome,
  putMembership,
  updateProfile,
  updateUserStatus,
} from './tenants-repository.ts';

export type TenantsServiceDependencies = {
  ids: () => string;
  audit: AuditLog;
  apiKeys: Pick<ApiKeysService, 'revokeAll'>;
  cases: CasePeople;
  approverLeft: ApproverLeft;
  /** Each deletes what a module keeps for one person alone: the row of a user stays, so nothing goes by cascade. */
  forget: readonly ((tx: Tx, userId: string) => Promise<void>)[];
};

export function createTenantsService(deps: TenantsServiceDependencies): TenantsService {
  const { ids, audit } = deps;

  async function tenantOf(tx: Tx, scope: TenantScope) {
    const row = await findTenant(tx, scope);
    if (row === undefined) throw new AppError('NOT_FOUND');
    return row;
  }

  async function endWork(tx: Tx, username: string, from: readonly Leaving[]): Promise<void> {
    await deps.cases.unassign(tx, username, from);
    await deps.approverLeft(
      tx,
      username,
      from.map(({ tenant }) => tenant),
    );
  }

  async function endWorkIn(tx: Tx, { user, tenants }: { user: string; tenants: readonly string[] }, by: ChangedBy) {
    const row = await findUser(tx, user);
    if (row === undefined) throw new AppError('NOT_FOUND');
    await endWork(
      tx,
      row.uname,
      tenants.map((tenant) => ({ tenant, by: by.actor.name })),
    );
  }

  /** What ends with memberships that are gone. Cases before keys, as whoever deletes an account does. */
  async function leave(
    tx: Tx,
    left: { user: string; tenants: readonly string[] },
    by: ChangedBy,
  ): Promise<AuditEntry[]> {
    if (left.tenants.length === 0) return [];
    await endWorkIn(tx, left, by);
    return await deps.apiKeys.revokeAll(tx, left, by);
  }

  /**
   * What ends for somebody who is disabled, in every tenant: the memberships stay, for when they are enabled again. Elsewhere
   * nobody is told which Admin of the tenant they are at home in did it.
   */
  async function stopWork(tx: Tx, user: UserRow, by: ChangedBy): Promise<AuditEntry[]> {
    const memberships = await listMemberships(tx, user.id);
    const told = (tenant: string) =>
      tenant === user.home_tenant_id && by.actor.kind !== 'system' ? by.actor.name : 'system';
    await endWork(
      tx,
      user.uname,
      memberships.map(({ id: tenant }) => ({ tenant, by: told(tenant) })),
    );
    return await deps.apiKeys.revokeAll(tx, { user: user.id }, by);
  }

  async function endWorkOfReader(
    tx: Tx,
    { user, role, tenants }: { user: string; role: Role; tenants: readonly string[] },
    by: ChangedBy,
  ): Promise<void> {
    if (tenants.length > 0 && !hasRole(role, requirements.airWork.role)) await endWorkIn(tx, { user, tenants }, by);
  }

  async function setMembership(
    tx: Tx,
    { tenant, user, role, source = 'direct' }: MembershipChange,
    by: ChangedBy,
  ): Promise<void> {
    await putMembership(tx, { tenant_id: tenant, user_id: user, role, source });
    await endWorkOfReader(tx, { user, role, tenants: [tenant] }, by);
  }

  return {
    get: tenantOf,
    tenantName: async (tx, scope) => (await tenantOf(tx, scope)).name,
    findAccess,
    findUser,
    lockUser,
    findMembership,
    listMemberships,
    async createTenant(tx, { id = ids(), name, managedBy, skuInfo, isProvider = false }, by) {
      await insertTenant(tx, {
        id,
        name,
        managed_by: managedBy,
        sku_info: skuInfo,
        is_provider: isProvider,
        brand: { display_name: '', colour: null, logo: null },
      });
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
        locale: user.locale ?? 'en-US',
        phone: '',
        job_title: '',
        timezone: '',
        notification_preferences: null,
        identity_issuer: user.identity.issuer,
        identity_subject: user.identity.subject,
        status: 'active',
      });
      await audit.record(tx, { ...entry(user.homeTenant, by), action: 'user.create', target: { kind: 'user', id } });
      return id;
    },
    async addMembership(tx, { tenant, user, role, source = 'direct' }, by) {
      await setMembership(tx, { tenant, user, role, source }, by);
      const target = { kind: 'user', id: user } as const;
      const data = source === 'direct' ? { role } : { role, source };
      await audit.record(tx, { ...entry(tenant, by), action: 'membership.set', target, data });
    },
    async changeRole(tx, { tenant, user, from, to }, by) {
      await setMembership(tx, { tenant, user, role: to }, by);
      const target = { kind: 'user', id: user } as const;
      await audit.record(tx, { ...entry(tenant, by), action: 'membership.set', target, data: { role: to, from } });
    },
    endWorkOfReader,
    roleOfProvider: (tx, { tenant, user }) => holdProviderRole(tx, { tenant_id: tenant, user_id: user }),
    async removeMembership(tx, { tenant, user }, by, also = []) {
      const row = { tenant_id: tenant, user_id: user };
      // Before the membership, as who gives or takes the role does.
      const kept = await holdProviderRole(tx, row);
      await deleteMembership(tx, row);
      if (kept !== undefined) await putMembership(tx, { ...row, role: kept, source: 'provider' });
      const lostWithIt = await deleteProviderMemberships(tx, row);
      const ended = await leave(tx, { user, tenants: [tenant, ...lostWithIt] }, by);
      await moveHome(tx, row);
      const target = { kind: 'user', id: user } as const;
      await audit.recordAll(tx, [
        ...ended,
        ...also,
        { ...entry(tenant, by), action: 'membership.remove', target },
        ...(kept === undefined
          ? []
          : [
              {
                ...entry(tenant, by),
                action: 'membership.set' as const,
                target,
                data: { role: kept, source: 'provider' },
              },
            ]),
        ...lostWithIt.map((id) => removedFromManaged(id, user, by)),
      ]);
    },
    async removeFromManaged(tx, { tenant, user }, by) {
      const left = await deleteProviderMemberships(tx, { tenant_id: tenant, user_id: user });
      const ended = await leave(tx, { user, tenants: left }, by);
      return { left, records: [...left.map((id) => removedFromManaged(id, user, by)), ...ended] };
    },
    giveHome: (tx, { tenant, user }) => giveHome(tx, { tenant_id: tenant, user_id: user }),
    lockAdmins: lockTenant,
    async isLastAdmin(tx, { tenant, user }) {
      const [first, ...others] = await listAdmins(tx, tenant);
      return first === user && others.length === 0;
    },
    async setUserStatus(tx, userId, status, by, also = []) {
      const user = await findUser(tx, userId);
      if (user === undefined) throw new AppError('NOT_FOUND');
      const ended = status === 'disabled' ? await stopWork(tx, user, by) : [];
      await updateUserStatus(tx, userId, status);
      const target = { kind: 'user', id: userId } as const;
      const of = entry(user.home_tenant_id, by);
      await audit.recordAll(tx, [...also, ...ended, { ...of, action: 'user.set_status', target, data: { status } }]);
    },
    async changeProfile(tx, userId, change, by) {
      const user = await findUser(tx, userId);
      if (user === undefined) throw new AppError('NOT_FOUND');
      await updateProfile(tx, userId, change);
      const target = { kind: 'user', id: userId } as const;
      const data = { fields: Object.keys(change).sort() };
      await audit.record(tx, { ...entry(user.home_tenant_id, by), action: 'user.update', target, data });
    },
    async deleteUser(tx, userId, by, also = []) {
      const user = await findUser(tx, userId);
      if (user === undefined) throw new AppError('NOT_FOUND');
      const left = await deleteAllMemberships(tx, userId);
      await deps.approverLeft(tx, user.uname, left);
      await eraseUser(tx, userId);
      for (const forget of deps.forget) await forget(tx, userId);
      const target = { kind: 'user', id: userId } as const;
      await audit.recordAll(tx, [
        ...also,
        ...left.map((tenant): AuditEntry => ({ ...entry(tenant, by), action: 'membership.remove', target })),
        { ...entry(user.home_tenant_id, by), action: 'user.delete', target },
      ]);
    },
  };
}

function entry(tenant: string, by: ChangedBy) {
  return { tenant, actor: by.actor, outcome: 'ok', request_id: by.requestId } as const;
}

function removedFromManaged(tenant: string, user: string, by: ChangedBy): AuditEntry {
  const target = { kind: 'user', id: user } as const;
  return { ...entry(tenant, by), action: 'membership.remove', target, data: { source: 'provider' } };
}
