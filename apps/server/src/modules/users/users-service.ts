/**
 * Who works in a tenant. Changes that could take a tenant its last Admin happen one at a time, under the lock of
 * `lockAdmins`, and look again at what they were asked to change once they hold it: between a question and its answer
 * somebody else may have been faster.
 *
 * Name, status and password belong to the person, not to the membership: only the tenant a person is at home in may
 * change them. Disabling works everywhere, so it may leave another tenant with a disabled Admin: that tenant cannot keep
 * an account alive which its own organisation has closed.
 */
import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole, type Role, roleLabels } from '@airdeck/contracts/access/roles';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Confirm } from '../../http/confirmation.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { LocalUsers } from '../identity/local-users.ts';
import { LOCAL_ISSUER } from '../identity/sign-in-provider.ts';
import type { InvitationsService } from '../invitations/invitations-service.ts';
import type { BreakGlass } from '../settings/settings-port.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';
import { findPerson, type Person } from './users-repository.ts';

export type UsersDependencies = {
  db: Pick<Database, 'system'>;
  tenants: TenantsService;
  invitations: Pick<InvitationsService, 'invite' | 'change' | 'findPending' | 'revoke'>;
  breakGlass: Pick<BreakGlass, 'isOnly' | 'withdraw'>;
  identity: Pick<LocalUsers, 'endSessions' | 'requirePasswordReset' | 'findProfile'>;
  audit: AuditLog;
};

/** Where, by whom, and with what role there. */
export type UsersCall = { scope: TenantScope; role: Role; by: ChangedBy };

type Asking = { confirm: Confirm };

export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService(deps: UsersDependencies) {
  const { db } = deps;
  return {
    /** In a system transaction. Throws EMAIL_TAKEN, RATE_LIMITED, and ROLE_TOO_LOW for a role above the caller's. */
    async invite(tx: Tx, call: UsersCall, wanted: { email: string; fullname: string; role: Role }): Promise<Person> {
      requireOwnRoleAtLeast(call, wanted.role);
      await deps.invitations.invite(tx, { tenant: call.scope.tenantId, ...wanted, by: call.by });
      return await getPerson(tx, call.scope, wanted.email);
    },

    /** Throws NOT_FOUND, LAST_ADMIN, and CONFLICT for somebody at home elsewhere. */
    async update(
      call: UsersCall,
      username: string,
      change: { fullname?: string | undefined; status?: 'active' | 'disabled' | undefined },
    ): Promise<Person> {
      const ended = await db.system((tx) => updatePerson(deps, tx, call, { username, change }));
      if (ended !== undefined) await deps.identity.endSessions(ended);
      return await db.system((tx) => getPerson(tx, call.scope, username));
    },

    /** Throws NOT_FOUND, LAST_ADMIN, CONFLICT, ROLE_TOO_LOW; asks for confirmation. */
    async setRole(call: UsersCall & Asking, wanted: { username: string; role: Role }): Promise<Person> {
      const { scope, confirm } = call;
      requireOwnRoleAtLeast(call, wanted.role);
      const { person, tenantName } = await db.system((tx) => lookedAt(deps, tx, scope, wanted));
      const from = [{ message: roleLabels[person.role] }];
      const to = [{ message: roleLabels[wanted.role] }];
      await confirm({
        object: [scope.tenantId, person.id, person.role, wanted.role].join(' '),
        title: refusal('ASK_ROLE'),
        text: [
          refusal('ASK_ROLE_TEXT', { who: `${person.fullname} (${person.uname})`, tenant: tenantName, from, to }),
          ...(losesCases(person.role, wanted.role) ? [refusal('ASK_ROLE_CASES')] : []),
        ],
        action_label: refusal('ASK_LABEL_CHANGE_ROLE'),
      });
      await db.system((tx) => changeRole(deps, tx, call, { person, role: wanted.role }));
      return await db.system((tx) => getPerson(tx, scope, person.uname));
    },

    /** Throws NOT_FOUND, LAST_ADMIN, CONFLICT; asks for confirmation. */
    async remove(call: UsersCall & Asking, username: string): Promise<void> {
      const { scope, confirm } = call;
      const { person, tenantName, kept } = await db.system(async (tx) => {
        const looked = await lookedAt(deps, tx, scope, { username, role: undefined });
        const of = { tenant: scope.tenantId, user: looked.person.id };
        return { ...looked, kept: await deps.tenants.roleOfProvider(tx, of) };
      });
      const isInvited = person.kind === 'invitation';
      const told = { who: `${person.fullname} (${person.uname})`, tenant: tenantName };
      await confirm({
        object: [scope.tenantId, person.id, ...(kept === undefined ? [] : [kept])].join(' '),
        title: isInvited ? refusal('ASK_INVITATION_WITHDRAW') : refusal('ASK_USER_REMOVE'),
        text: [
          isInvited
            ? refusal('ASK_INVITATION_TEXT', told)
            : kept === undefined
              ? refusal('ASK_USER_REMOVE_TEXT', told)
              : refusal('ASK_USER_REMOVE_KEEPS', { ...told, role: [{ message: roleLabels[kept] }] }),
        ],
        action_label: isInvited ? refusal('ASK_LABEL_WITHDRAW') : refusal('ASK_LABEL_REMOVE_USER'),
      });
      await db.system((tx) => removePerson(deps, tx, call, person));
      if (!isInvited) await deps.identity.endSessions(person.id);
    },

    /** Throws NOT_FOUND, CONFLICT for somebody who has no password here, and RATE_LIMITED where no mail would go out. */
    async resetPassword({ scope, by }: UsersCall, username: string): Promise<void> {
      const person = await db.system((tx) => getPerson(tx, scope, username));
      requireHome(person, scope);
      const profile =
        person.identity_issuer === LOCAL_ISSUER && person.identity_subject !== null
          ? await deps.identity.findProfile(person.identity_subject)
          : undefined;
      if (profile?.hasPassword !== true) {
        throw new AppError('CONFLICT', refusal('USER_WITHOUT_PASSWORD', { who: person.fullname }));
      }
      await db.system(async (tx) => {
        await deps.identity.requirePasswordReset(tx, person.id);
        await deps.audit.record(tx, {
          tenant: scope.tenantId,
          actor: by.actor,
          action: 'user.require_password_reset',
          target: { kind: 'user', id: person.id },
          outcome: 'ok',
          request_id: by.requestId,
        });
      });
    },
  };
}

/** What a question is about, after everything that would refuse the change anyway. */
async function lookedAt(
  deps: UsersDependencies,
  tx: Tx,
  scope: TenantScope,
  wanted: { username: string; role: Role | undefined },
): Promise<{ person: Person; tenantName: string }> {
  const person = await getPerson(tx, scope, wanted.username);
  requireDirect(person);
  if (wanted.role !== 'Admin') await requireNotNeeded(deps, tx, scope, person);
  return { person, tenantName: await deps.tenants.tenantName(tx, scope) };
}

/** The person as they are now that nobody else can change Admins. Throws CONFLICT when that is not what was asked about. */
async function lockedPerson(deps: UsersDependencies, tx: Tx, scope: TenantScope, asked: Person): Promise<Person> {
  await deps.tenants.lockAdmins(tx, scope.tenantId);
  const person = await getPerson(tx, scope, asked.uname);
  if (person.id !== asked.id || person.role !== asked.role || person.kind !== asked.kind) {
    throw new AppError('CONFLICT');
  }
  requireDirect(person);
  return person;
}

function losesCases(from: Role, to: Role): boolean {
  return hasRole(from, requirements.airWork.role) && !hasRole(to, requirements.airWork.role);
}

async function changeRole(
  deps: UsersDependencies,
  tx: Tx,
  { scope, by }: UsersCall,
  { person: asked, role }: { person: Person; role: Role },
): Promise<void> {
  const person = await lockedPerson(deps, tx, scope, asked);
  if (role !== 'Admin') await requireNotNeeded(deps, tx, scope, person);
  const tenant = scope.tenantId;
  const change = { from: person.role, to: role };
  if (person.kind === 'member') {
    const withdrawn = role === 'Admin' ? [] : await deps.breakGlass.withdraw(tx, { user: person.id, tenant }, by);
    await deps.tenants.changeRole(tx, { tenant, user: person.id, ...change }, by);
    await deps.audit.recordAll(tx, withdrawn);
    return;
  }
  await deps.invitations.change(tx, { id: person.id, role });
  await recordInvitation(deps, tx, { scope, by }, { action: 'invitation.change', person, data: change });
}

async function removePerson(
  deps: UsersDependencies,
  tx: Tx,
  { scope, by }: Pick<UsersCall, 'scope' | 'by'>,
  asked: Person,
): Promise<void> {
  const person = await lockedPerson(deps, tx, scope, asked);
  if (person.kind === 'invitation') {
    await deps.audit.record(tx, await deps.invitations.revoke(tx, person.id, by));
    return;
  }
  await requireNotNeeded(deps, tx, scope, person);
  const tenant = scope.tenantId;
  // One that became a member without it, as by single sign-on, could come back by it.
  const invited = await deps.invitations.findPending(tx, { tenant, email: person.email });
  const revoked = invited === undefined ? [] : [await deps.invitations.revoke(tx, invited, by)];
  const withdrawn = await deps.breakGlass.withdraw(tx, { user: person.id, tenant }, by);
  await deps.tenants.removeMembership(tx, { tenant, user: person.id }, by, [...withdrawn, ...revoked]);
}

/** Returns the user whose sessions are to end. */
async function updatePerson(
  deps: UsersDependencies,
  tx: Tx,
  call: UsersCall,
  {
    username,
    change,
  }: { username: string; change: { fullname?: string | undefined; status?: Person['status'] | undefined } },
): Promise<string | undefined> {
  const { scope, by } = call;
  await deps.tenants.lockAdmins(tx, scope.tenantId);
  const person = await getPerson(tx, scope, username);
  const { fullname } = change;
  if (person.kind === 'invitation') {
    if (change.status !== undefined) {
      throw new AppError('CONFLICT', refusal('USER_INVITED', { who: person.fullname }));
    }
    if (fullname === undefined) return undefined;
    await deps.invitations.change(tx, { id: person.id, fullname });
    await recordInvitation(deps, tx, call, { action: 'invitation.change', person, data: { fields: ['fullname'] } });
    return undefined;
  }
  requireHome(person, scope);
  const ended = await changeStatus(deps, tx, call, { person, status: change.status ?? person.status });
  // After the status, whose records may be of several tenants: their chains are locked in ascending order.
  if (fullname !== undefined && fullname !== person.fullname) {
    await deps.tenants.changeProfile(tx, person.id, { fullname }, by);
  }
  return ended;
}

async function changeStatus(
  deps: UsersDependencies,
  tx: Tx,
  { scope, by }: UsersCall,
  { person, status }: { person: Person; status: Person['status'] },
): Promise<string | undefined> {
  if (status === person.status) return undefined;
  if (status !== 'disabled') {
    await deps.tenants.setUserStatus(tx, person.id, status, by);
    return undefined;
  }
  await requireNotNeeded(deps, tx, scope, person);
  const { withdraw } = deps.breakGlass;
  const withdrawn = [
    ...(await withdraw(tx, { user: person.id, tenant: scope.tenantId }, by)),
    ...(await withdraw(tx, { user: person.id, forced: true }, by)),
  ];
  await deps.tenants.setUserStatus(tx, person.id, status, by, withdrawn);
  return person.id;
}

async function recordInvitation(
  deps: UsersDependencies,
  tx: Tx,
  { scope, by }: Pick<UsersCall, 'scope' | 'by'>,
  { action, person, data }: { action: AuditAction; person: Person; data: Record<string, unknown> },
): Promise<void> {
  await deps.audit.record(tx, {
    tenant: scope.tenantId,
    actor: by.actor,
    action,
    target: { kind: 'invitation', id: person.id },
    outcome: 'ok',
    data: { email: person.uname, ...data },
    request_id: by.requestId,
  });
}

async function getPerson(tx: Tx, scope: TenantScope, username: string): Promise<Person> {
  const person = await findPerson(tx, scope, username);
  if (person === undefined) throw new AppError('NOT_FOUND', { message: 'This user does not exist here.' });
  return person;
}

/** As an Admin: one of them stays, and one who gets in when single sign-on is down. */
async function requireNotNeeded(deps: UsersDependencies, tx: Tx, scope: TenantScope, person: Person): Promise<void> {
  if (person.kind === 'invitation') return;
  const who = { tenant: scope.tenantId, user: person.id };
  if (await deps.tenants.isLastAdmin(tx, who)) throw new AppError('LAST_ADMIN');
  if (!(await deps.breakGlass.isOnly(tx, who))) return;
  throw new AppError('CONFLICT', refusal('USER_BREAK_GLASS', { who: person.fullname }));
}

function requireDirect(person: Person): void {
  if (person.source === 'direct') return;
  throw new AppError('CONFLICT', refusal('USER_OF_PROVIDER', { who: person.fullname }));
}

function requireHome(person: Person, { tenantId }: TenantScope): void {
  if (person.kind === 'invitation') {
    throw new AppError('CONFLICT', refusal('USER_NOT_ACCEPTED', { who: person.fullname }));
  }
  if (person.home_tenant_id === tenantId) return;
  throw new AppError('CONFLICT', refusal('USER_OF_OTHER_TENANT', { who: person.fullname }));
}

/** Nobody hands out more than they have. */
function requireOwnRoleAtLeast(call: UsersCall, role: Role): void {
  if (!hasRole(call.role, role)) throw new AppError('ROLE_TOO_LOW');
}
