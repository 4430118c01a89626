import type { Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { StoredPreferences } from '@airdeck/contracts/notifications/schema';
import type { Brand, Tenant } from '@airdeck/contracts/tenants/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditEntry } from '../audit/audit-log.ts';

export type TenantRow = {
  id: string;
  name: string;
  managed_by: string | null;
  sku_info: SkuInfo;
  is_provider: boolean;
  brand: Brand;
};
export type UserRow = {
  id: string;
  uname: string;
  fullname: string;
  email: string;
  home_tenant_id: string;
  locale: string;
  phone: string;
  job_title: string;
  timezone: string;
  notification_preferences: StoredPreferences | null;
  identity_issuer: string;
  identity_subject: string;
  status: 'active' | 'invited' | 'disabled';
};
/** `provider`: follows the person's role at the provider that manages the tenant. */
export type MembershipSource = 'direct' | 'provider';
export type MembershipRow = TenantRow & { role: Role; source: MembershipSource };
/** One of somebody's many: the logos of a provider's customers would travel with every reading of the profile. */
export type ListedMembership = Omit<MembershipRow, 'brand'> & { brand: Omit<Brand, 'logo'> };
/** What a request's authorization needs of a tenant; the logo would travel with every call. */
export type AccessMembership = Omit<MembershipRow, 'brand' | 'source'>;

export type NewTenant = {
  id?: string;
  name: string;
  managedBy: string | null;
  skuInfo: SkuInfo;
  isProvider?: boolean;
};

export type NewUser = {
  id?: string;
  uname: string;
  fullname: string;
  email: string;
  homeTenant: string;
  locale?: string;
  identity: { issuer: string; subject: string };
};

/** What people, or the provider they sign in with, say about them; only what is given changes. `email` in lower case. */
export type ProfileChange = Partial<
  Pick<UserRow, 'fullname' | 'email' | 'phone' | 'job_title' | 'locale' | 'timezone' | 'notification_preferences'>
>;

/** A user, and what they are in the tenant asked for. */
export type Access = { user: UserRow; membership: AccessMembership | undefined };

/** By whom a user is known: an identity provider, or a row that names our own id. */
export type UserKey = { issuer: string; subject: string } | { userId: string };

/** Who did it and in which request; null outside of one. */
export type ChangedBy = { actor: AuditActor; requestId: string | null };

export type MembershipChange = { tenant: string; user: string; role: Role; source?: MembershipSource };

/**
 * `also` are records of what else the same transaction did: chains must be locked in ascending order, so all records of
 * a change that reaches several tenants are written in one go.
 *
 * Whenever assignments of cases end, whatever the reason, the tenant's Admins hear of open questions of runs that nobody is
 * left to answer.
 */
export interface TenantsService {
  /** Throws NOT_FOUND. */
  get(tx: Tx, scope: TenantScope): Promise<Omit<Tenant, 'automation_enabled' | 'is_fenced' | 'managed_by_name'>>;
  tenantName(tx: Tx, scope: TenantScope): Promise<string>;
  /** Both in one read, because every request of every signed-in caller needs them. */
  findAccess(tx: Tx, user: UserKey, tenantId: string): Promise<Access | undefined>;
  findUser(tx: Tx, userId: string): Promise<UserRow | undefined>;
  /** The same for a change that is made from what is there: whoever changes the user too waits. In a system transaction. */
  lockUser(tx: Tx, userId: string): Promise<UserRow | undefined>;
  findMembership(tx: Tx, userId: string, tenantId: string): Promise<MembershipRow | undefined>;
  listMemberships(tx: Tx, userId: string): Promise<ListedMembership[]>;
  /** The following need a system transaction: they cross tenants or come before there is one. */
  createTenant(tx: Tx, tenant: NewTenant, by: ChangedBy): Promise<string>;
  createUser(tx: Tx, user: NewUser, by: ChangedBy): Promise<string>;
  /**
   * Adds the user to the tenant or changes role and source there; the source is `direct` when left out. Effective with
   * the next request, with what `endWorkOfReader` does.
   */
  addMembership(tx: Tx, membership: MembershipChange, by: ChangedBy): Promise<void>;
  /** Changes the role somebody has in their own right, with the same consequence; the record says which it was. */
  changeRole(tx: Tx, change: { tenant: string; user: string; from: Role; to: Role }, by: ChangedBy): Promise<void>;
  /** With a role that may only read the assignments of open cases of these tenants end: nobody would work on them. */
  endWorkOfReader(tx: Tx, of: { user: string; role: Role; tenants: readonly string[] }, by: ChangedBy): Promise<void>;
  /** The role the user has here because of the provider, whatever they have in their own right; it stays for this transaction. */
  roleOfProvider(tx: Tx, membership: { tenant: string; user: string }): Promise<Role | undefined>;
  /**
   * Takes what the user has in their own right: the role of the provider counts from then on, where they have one. Also
   * takes what the user had through this tenant in those it manages. With each membership end the API keys for that
   * tenant and the assignments of its cases: nothing of it comes back with a later membership. Whose home it was gets
   * another of their tenants as home, if there is one.
   */
  removeMembership(
    tx: Tx,
    membership: { tenant: string; user: string },
    by: ChangedBy,
    also?: readonly AuditEntry[],
  ): Promise<void>;
  /**
   * Takes only what the user had through this tenant in those it manages, as `removeMembership` does. Returns where, and
   * the records, which the caller writes with its own.
   */
  removeFromManaged(
    tx: Tx,
    membership: { tenant: string; user: string },
    by: ChangedBy,
  ): Promise<{ left: readonly string[]; records: AuditEntry[] }>;
  /** Makes the tenant the user's home if they are no member of the one they have. */
  giveHome(tx: Tx, membership: { tenant: string; user: string }): Promise<void>;
  /**
   * Lets one change at a time through that could take a tenant its last Admin: call it before anything is read that such
   * a change depends on. For several tenants in ascending order. Work in the tenant goes on meanwhile.
   */
  lockAdmins(tx: Tx, tenantId: string): Promise<void>;
  /**
   * Whether nobody else is an active Admin of the tenant in their own right; people of the provider do not count, since
   * it may call them back. False for who is none either. Certain only after `lockAdmins`.
   */
  isLastAdmin(tx: Tx, membership: { tenant: string; user: string }): Promise<boolean>;
  /** With `disabled` the API keys end and the assignments of open cases, in every tenant, as with a membership. */
  setUserStatus(
    tx: Tx,
    userId: string,
    status: UserRow['status'],
    by: ChangedBy,
    also?: readonly AuditEntry[],
  ): Promise<void>;
  /** Throws NOT_FOUND. The record names the fields, not what they hold. */
  changeProfile(tx: Tx, userId: string, change: ProfileChange, by: ChangedBy): Promise<void>;
  /**
   * Removes all memberships of the user, takes everything personal off their row, and deletes what other modules keep for
   * them alone. The row itself stays, because automations, keys and notes point at it: disabled, belonging to no
   * identity, and free of name and e-mail address.
   * Cases, stories and audit hold names as they were at the time, so they stay readable.
   */
  deleteUser(tx: Tx, userId: string, by: ChangedBy, also?: readonly AuditEntry[]): Promise<void>;
}
