/**
 * Invitations: one row per tenant and address, `pending` until it is `accepted` or `revoked`.
 *
 * The ticket (256 random bits) is in the mail only, here is its hash; a new ticket replaces the one before. Whoever uses a
 * ticket holds its row's lock until the commit, so of any number of parallel tries one succeeds. An invitation to a new
 * person names the id their user will get: a sign-up that dies between sign-in and user goes on where it was, because
 * the sign-in made for the ticket carries that id.
 *
 * Whoever is at home in the tenant by accepting is under its rules of sign-in at once: a session they would not open ends
 * with it.
 */
import { createHash } from 'node:crypto';
import { hasRole } from '@airdeck/contracts/access/roles';
import { limits } from '@airdeck/contracts/limits';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { storableText } from '@airdeck/domain/storable-json';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';
import type {
  AcceptingIdentity,
  DeliverTicket,
  Invitations,
  NewInvitation,
  OpenInvitation,
} from './invitations-port.ts';
import {
  changeInvitation,
  countSentSince,
  findByAddress,
  findById,
  findByTicketHash,
  findUserIdByAddress,
  holdRules,
  type InvitationRow,
  insertInvitation,
  isMemberAddress,
  type TicketRow,
} from './invitations-repository.ts';

const TICKET_BYTES = 32;
export const INVITATION_LIVES_MS = limits.invitationLifetimeDays * 24 * 3_600_000;
const WINDOW_MS = 3_600_000;

export type InvitationsDependencies = {
  tenants: Pick<
    TenantsService,
    'tenantName' | 'createUser' | 'addMembership' | 'findMembership' | 'findUser' | 'giveHome' | 'deleteUser'
  >;
  audit: AuditLog;
  deliver: DeliverTicket;
  /**
   * Who has an address and can never come back as who they were, where a hosted provider keeps the accounts. The built-in
   * provider makes room itself, when the sign-in is made.
   */
  findLeft?: ((tx: Tx, email: string) => Promise<string | undefined>) | undefined;
  /** Told of somebody new: they signed in before there was a user whose sign-in it could be. */
  onSignIn: (tx: Tx, userId: string) => Promise<void>;
  /** Ends sessions of people at home in the tenant that its rules would not open now. */
  endUnfitSessions: (tx: Tx, tenantId: string) => Promise<unknown>;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

export type InvitationsService = Omit<Invitations, 'find'> & {
  /** The invitation of a live ticket, locked against other uses of it. Throws TICKET_INVALID. */
  lockTicket(tx: Tx, ticket: string): Promise<TicketRow>;
  /** Throws TICKET_INVALID. */
  findOpen(tx: Tx, ticket: string): Promise<OpenInvitation>;
  /** Changes what a pending invitation offers. */
  change(tx: Tx, change: { id: string; fullname?: string; role?: InvitationRow['role'] }): Promise<void>;
  /** Id of the pending invitation of an address in lower case. Nobody else uses it until the transaction ends. */
  findPending(tx: Tx, of: { tenant: string; email: string }): Promise<string | undefined>;
  /** Returns the record, which the caller writes with its own. */
  revoke(tx: Tx, id: string, by: ChangedBy): Promise<AuditEntry>;
};

export function hashOfTicket(ticket: string): string {
  return createHash('sha256').update(ticket).digest('hex');
}

export function newTicket(randomBytes: (size: number) => Buffer): string {
  return randomBytes(TICKET_BYTES).toString('base64url');
}

export function createInvitationsService(deps: InvitationsDependencies): InvitationsService {
  async function lockTicket(tx: Tx, ticket: string): Promise<TicketRow> {
    return requireLive(await findByTicketHash(tx, hashOfTicket(ticket), { lock: true }), deps.now());
  }

  return {
    lockTicket,
    invite: (tx, invitation) => invite(deps, tx, invitation),
    async findOpen(tx, ticket) {
      const row = await findByTicketHash(tx, hashOfTicket(ticket), { lock: false });
      return opened(requireLive(row, deps.now()));
    },
    async accept(tx, { ticket, invitation, identity, caller, locale = 'en-US', requestId = null }) {
      const find = (lock: boolean) =>
        invitation === undefined
          ? findByTicketHash(tx, hashOfTicket(ticket), { lock })
          : findById(tx, invitation, { lock });
      // Before the invitation, in the order of whoever changes both.
      await holdRules(tx, trustedTenantScope(requireLive(await find(false), deps.now()).tenant_id));
      const row = requireLive(await find(true), deps.now());
      const user = await acceptingUser(deps, tx, { row, identity, caller, locale, requestId });
      return await join(deps, tx, { row, user, requestId });
    },
    async change(tx, { id, ...change }) {
      await changeInvitation(tx, id, change);
    },
    async findPending(tx, { tenant, email }) {
      const row = await findByAddress(tx, trustedTenantScope(tenant), email);
      return row?.state === 'pending' ? row.id : undefined;
    },
    async revoke(tx, id, by) {
      const { tenant_id, email } = await changeInvitation(tx, id, { state: 'revoked' });
      const target = { kind: 'invitation', id } as const;
      return { ...entry(tenant_id, by), action: 'invitation.revoke', target, data: { email } };
    },
  };
}

async function invite(deps: InvitationsDependencies, tx: Tx, wanted: NewInvitation): Promise<{ id: string }> {
  const { tenant, role, by } = wanted;
  const scope = trustedTenantScope(tenant);
  const email = wanted.email.toLowerCase();
  if (await isMemberAddress(tx, scope, email)) throw new AppError('EMAIL_TAKEN');
  const at = deps.now();
  const before = await findByAddress(tx, scope, email);
  const window = await sendingWindow(tx, { tenant, before, at });
  const ticket = newTicket(deps.randomBytes);
  const offer = {
    fullname: wanted.fullname,
    role,
    state: 'pending',
    ticket_hash: hashOfTicket(ticket),
    invited_by: by.actor.name,
    sent_at: at,
    ...window,
    expires_at: new Date(at.getTime() + INVITATION_LIVES_MS),
  } as const;
  // Somebody who was a member before, or declined, begins anew: the id may be that of a user by now.
  const id = before?.state === 'pending' ? before.id : deps.ids();
  const row =
    before === undefined
      ? await insertInvitation(tx, { id, tenant_id: tenant, email, created_at: at, ...offer })
      : await changeInvitation(tx, before.id, { id, ...offer });
  if (row === undefined) throw new AppError('CONFLICT', { message: 'This address was invited a moment ago.' });
  const tenantName = await deps.tenants.tenantName(tx, scope);
  await deps.deliver(tx, { ...opened({ ...row, tenant_name: tenantName }), email, invitedBy: row.invited_by }, ticket);
  await deps.audit.record(tx, {
    ...entry(tenant, by),
    action: 'invitation.send',
    target: { kind: 'invitation', id },
    data: { email, role },
  });
  return { id };
}

type Sending = { tenant: string; before: InvitationRow | undefined; at: Date };

/** Throws RATE_LIMITED: an Admin cannot fill anybody's mailbox, nor mail half the world. */
async function sendingWindow(tx: Tx, { tenant, before, at }: Sending) {
  const since = new Date(at.getTime() - WINDOW_MS);
  const goesOn = before !== undefined && before.window_started_at > since;
  const sends = goesOn ? before.sends + 1 : 1;
  const isMore = sends > serverLimits.invitationsPerAddressHour;
  if (isMore || (await countSentSince(tx, trustedTenantScope(tenant), since)) >= serverLimits.invitationsPerHour) {
    throw new AppError('RATE_LIMITED', {
      retryAfterS: WINDOW_MS / 1000,
      message: isMore
        ? 'This address was invited several times within the hour. Try again later.'
        : 'Many invitations were sent within the hour. Try again later.',
    });
  }
  return { sends, window_started_at: goesOn ? before.window_started_at : at };
}

function requireLive(row: TicketRow | undefined, now: Date): TicketRow {
  if (row?.state !== 'pending' || row.expires_at <= now) throw new AppError('TICKET_INVALID');
  return row;
}

function opened(row: TicketRow): OpenInvitation {
  return {
    id: row.id,
    tenant: row.tenant_id,
    tenantName: row.tenant_name,
    email: row.email,
    fullname: row.fullname,
    role: row.role,
    expiresAt: row.expires_at,
  };
}

type Acceptance = {
  row: TicketRow;
  identity: AcceptingIdentity;
  caller: { userId: string } | undefined;
  locale: string;
  requestId: string | null;
};

/** Who the ticket is used by: the user of the caller, or a new one for an identity that has none yet. */
async function acceptingUser(deps: InvitationsDependencies, tx: Tx, acceptance: Acceptance): Promise<string> {
  const { row, identity, caller, locale } = acceptance;
  const known = caller === undefined ? undefined : await deps.tenants.findUser(tx, caller.userId);
  const isMeant = row.email === null || row.email === known?.email || row.email === identity.verifiedEmail;
  if (!isMeant) throw new AppError('TICKET_FOR_ANOTHER');
  if (known !== undefined) return known.id;
  const email = identity.verifiedEmail;
  if (email === null) throw new AppError('TICKET_FOR_ANOTHER');
  const left = await deps.findLeft?.(tx, email);
  if (left !== undefined) await deps.tenants.deleteUser(tx, left, acceptedBy(acceptance, { id: left, name: email }));
  // The address alone never makes an identity somebody's: they sign in the way they always did.
  else if ((await findUserIdByAddress(tx, email)) !== undefined) throw new AppError('TICKET_FOR_ANOTHER');
  const fullname = storableText(identity.fullname || row.fullname || email);
  const user = {
    id: identity.externalId ?? row.id,
    uname: email,
    fullname,
    email,
    homeTenant: row.tenant_id,
    locale,
    identity: { issuer: identity.issuer, subject: identity.subject },
  };
  const id = await deps.tenants.createUser(tx, user, acceptedBy(acceptance, { id: user.id, name: email }));
  await deps.onSignIn(tx, id);
  return id;
}

async function join(
  deps: InvitationsDependencies,
  tx: Tx,
  { row, user, requestId }: { row: TicketRow; user: string; requestId: string | null },
) {
  const tenant = row.tenant_id;
  const member = await deps.tenants.findMembership(tx, user, tenant);
  // Who came another way meanwhile and has more does not lose it; what a provider gave stays the provider's to take.
  const keeps = member?.source === 'direct' && hasRole(member.role, row.role);
  const role = keeps ? member.role : row.role;
  const name = (await deps.tenants.findUser(tx, user))?.uname ?? user;
  const by = acceptedBy({ requestId }, { id: user, name });
  await changeInvitation(tx, row.id, { state: 'accepted' });
  await deps.tenants.addMembership(tx, { tenant, user, role }, by);
  await deps.tenants.giveHome(tx, { tenant, user });
  await deps.endUnfitSessions(tx, tenant);
  await deps.audit.record(tx, {
    ...entry(tenant, by),
    action: 'invitation.accept',
    target: { kind: 'invitation', id: row.id },
    data: { role },
  });
  return { user, tenant, tenantName: row.tenant_name, role };
}

function acceptedBy(of: { requestId: string | null }, user: { id: string; name: string }): ChangedBy {
  return { actor: { kind: 'user', ...user }, requestId: of.requestId };
}

function entry(tenant: string, by: ChangedBy): Pick<AuditEntry, 'tenant' | 'actor' | 'outcome' | 'request_id'> {
  return { tenant, actor: by.actor, outcome: 'ok', request_id: by.requestId };
}
