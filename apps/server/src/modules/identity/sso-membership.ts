/**
 * Memberships that come by signing in. A connection's rule gives a role (highest mapped group, otherwise the default one
 * for addresses of its domains); the membership follows that rule at every sign-in and is marked with the role it got.
 *
 * A role that is another one than the mark says was set by an Admin: that is a direct membership from then on, and never
 * touched again. The last active Admin of a tenant, and its last break-glass account, is neither lowered nor removed.
 *
 * Groups an issuer does not name, and an address it does not confirm, take nothing away: a sign-in that would change the
 * membership is refused, and the membership stays as it is. No claim of groups at all is none of them (`proof-claims.ts`).
 *
 * Becoming a member takes an address of a domain the tenant has proved, whatever the issuer says of groups: the new
 * account gets that address for the whole installation.
 */
import { hasRole, type Role } from '@airdeck/contracts/access/roles';
import { sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { BreakGlass } from '../settings/settings-port.ts';
import type { Connection, ExternalProof } from '../sso/sso-port.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';

export type TenantConnection = Connection & { readonly tenant: string };

export function isTenantConnection(connection: Connection): connection is TenantConnection {
  return connection.tenant !== null;
}

/** What somebody new becomes by signing in; undefined makes nobody a member. */
export function joiningRole(connection: Connection, proof: ExternalProof): Role | undefined {
  const isOurs = proof.email !== null && connection.provedDomains.includes(domainOf(proof.email));
  return isOurs ? roleFor(connection, proof) : undefined;
}

/** By the connection's rule. */
function roleFor(connection: Connection, proof: ExternalProof): Role | undefined {
  const { join } = connection;
  if (!join.enabled || proof.email === null || !proof.emailVerified) return undefined;
  const groups = new Set(proof.groups ?? []);
  const mapped = join.groupRoles
    .filter(({ group }) => groups.has(group))
    .map(({ role }) => role)
    .reduce<Role | undefined>((best, role) => (best !== undefined && hasRole(best, role) ? best : role), undefined);
  if (mapped !== undefined) return mapped;
  const isOurs = proof.domainProved && connection.domains.includes(domainOf(proof.email));
  return isOurs ? (join.defaultRole ?? undefined) : undefined;
}

export type Untold = 'EMAIL_UNVERIFIED' | 'GROUPS_MISSING';

/** What the rule asks for and the issuer did not say; undefined when it said all of it. */
export function untoldOf({ join }: Connection, { email, emailVerified, groups }: ExternalProof): Untold | undefined {
  if (email === null || !emailVerified) return 'EMAIL_UNVERIFIED';
  return join.groupRoles.length > 0 && groups === null ? 'GROUPS_MISSING' : undefined;
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

type Member = { connection: TenantConnection; userId: string; role: Role };
type Tenants = Pick<TenantsService, 'addMembership' | 'removeMembership'>;

/** The first one, for a user who was just made. */
export async function join(tx: Tx, tenants: Tenants, { connection, userId, role }: Member, by: ChangedBy) {
  await tenants.addMembership(tx, { tenant: connection.tenant, user: userId, role }, by);
  await tx
    .insertInto('sso_membership')
    .values({ tenant_id: connection.tenant, user_id: userId, connection_id: connection.id, role })
    .execute();
}

export type FollowDependencies = {
  tenants: Tenants;
  breakGlass: Pick<BreakGlass, 'isOnly' | 'withdraw'>;
  audit: Pick<AuditLog, 'recordAll'>;
};

/**
 * Brings a membership that came by this connection in line with what the issuer says now, unless that is too little to
 * change anything by: then why. Needs a system transaction.
 */
export async function follow(
  tx: Tx,
  deps: FollowDependencies,
  { connection, userId, proof }: { connection: TenantConnection; userId: string; proof: ExternalProof },
  by: ChangedBy,
): Promise<Untold | undefined> {
  if (!connection.join.enabled) return undefined;
  const member = { tenant: connection.tenant, user: userId };
  const current = await findMarked(tx, { ...member, connectionId: connection.id });
  if (current === undefined) return undefined;
  if (current.role !== current.marked || current.source !== 'direct') {
    await tx
      .deleteFrom('sso_membership')
      .where('tenant_id', '=', member.tenant)
      .where('user_id', '=', userId)
      .execute();
    return undefined;
  }
  const role = roleFor(connection, proof);
  if (role === current.role) return undefined;
  if (current.role === 'Admin' && (!(await hasOtherAdmin(tx, member)) || (await deps.breakGlass.isOnly(tx, member))))
    return undefined;
  const untold = untoldOf(connection, proof);
  if (untold !== undefined) return untold;
  const withdrawn = role === 'Admin' ? [] : await deps.breakGlass.withdraw(tx, member, by);
  await change(tx, deps.tenants, { ...member, role }, by);
  await deps.audit.recordAll(tx, withdrawn);
  return undefined;
}

async function change(
  tx: Tx,
  tenants: Tenants,
  { tenant, user, role }: { tenant: string; user: string; role: Role | undefined },
  by: ChangedBy,
): Promise<void> {
  if (role === undefined) {
    await endSessions(tx, user);
    await tenants.removeMembership(tx, { tenant, user }, by);
    return;
  }
  await tx
    .updateTable('sso_membership')
    .set({ role })
    .where('tenant_id', '=', tenant)
    .where('user_id', '=', user)
    .execute();
  await tenants.addMembership(tx, { tenant, user, role }, by);
}

/** Those the person has already; the one this sign-in would open does not exist yet. */
async function endSessions(tx: Tx, user: string): Promise<void> {
  await sqlClient(tx).query(
    'delete from identity."session" where "userId" = (select "id" from identity."user" where "externalId" = $1)',
    [user],
  );
}

type Marked = { role: Role; marked: Role; source: string };

/** Holds the tenant before the membership, as everybody does who may take away an Admin. */
async function findMarked(
  tx: Tx,
  { tenant, user, connectionId }: { tenant: string; user: string; connectionId: string },
): Promise<Marked | undefined> {
  const client = sqlClient(tx);
  const marked = await client.query(
    'select 1 from sso_membership where tenant_id = $1 and user_id = $2 and connection_id = $3',
    [tenant, user, connectionId],
  );
  if (marked.rows.length === 0) return undefined;
  await client.query('select 1 from tenant where id = $1 for no key update', [tenant]);
  const { rows } = await client.query<Marked>(
    `select m.role, s.role as marked, m.source
     from sso_membership s join membership m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
     where s.tenant_id = $1 and s.user_id = $2 and s.connection_id = $3
     for update of m`,
    [tenant, user, connectionId],
  );
  return rows[0];
}

/** As `TenantsService.isLastAdmin` counts: people of the provider are none, since it may call them back. */
async function hasOtherAdmin(tx: Tx, { tenant, user }: { tenant: string; user: string }): Promise<boolean> {
  const found = await tx
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .select('membership.user_id')
    .where('membership.tenant_id', '=', tenant)
    .where('membership.user_id', '<>', user)
    .where('membership.role', '=', 'Admin')
    .where('membership.source', '=', 'direct')
    .where('app_user.status', '=', 'active')
    .executeTakeFirst();
  return found !== undefined;
}
