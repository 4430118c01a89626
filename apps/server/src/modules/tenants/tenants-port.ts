import type { Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { Tenant } from '@airdeck/contracts/tenants/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor } from '../audit/audit-log.ts';
import type { AppUserTable } from './tenants-tables.ts';

export type TenantRow = { id: string; name: string; managed_by: string | null; sku_info: SkuInfo };
export type UserRow = Omit<AppUserTable, 'created_at'>;
export type MembershipRow = TenantRow & { role: Role };

export type NewTenant = { id?: string; name: string; managedBy: string | null; skuInfo: SkuInfo };

export type NewUser = {
  id?: string;
  uname: string;
  fullname: string;
  email: string;
  homeTenant: string;
  locale?: string;
  identity: { issuer: string; subject: string };
};

/** A user, and what they are in the tenant asked for. */
export type Access = { user: UserRow; membership: MembershipRow | undefined };

/** By whom a user is known: an identity provider, or a row that names our own id. */
export type UserKey = { issuer: string; subject: string } | { userId: string };

/** Who did it and in which request; null outside of one. */
export type ChangedBy = { actor: AuditActor; requestId: string | null };

export interface TenantsService {
  /** Throws NOT_FOUND. */
  get(tx: Tx, scope: TenantScope): Promise<Tenant>;
  tenantName(tx: Tx, scope: TenantScope): Promise<string>;
  /** Both in one read, because every request of every signed-in caller needs them. */
  findAccess(tx: Tx, user: UserKey, tenantId: string): Promise<Access | undefined>;
  findUser(tx: Tx, userId: string): Promise<UserRow | undefined>;
  findMembership(tx: Tx, userId: string, tenantId: string): Promise<MembershipRow | undefined>;
  listMemberships(tx: Tx, userId: string): Promise<MembershipRow[]>;
  /** The following need a system transaction: they cross tenants or come before there is one. */
  createTenant(tx: Tx, tenant: NewTenant, by: ChangedBy): Promise<string>;
  createUser(tx: Tx, user: NewUser, by: ChangedBy): Promise<string>;
  /** Adds the user to the tenant or changes the role there. Effective with the next request. */
  addMembership(tx: Tx, membership: { tenant: string; user: string; role: Role }, by: ChangedBy): Promise<void>;
  removeMembership(tx: Tx, membership: { tenant: string; user: string }, by: ChangedBy): Promise<void>;
  setUserStatus(tx: Tx, userId: string, status: UserRow['status'], by: ChangedBy): Promise<void>;
}
