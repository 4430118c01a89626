/**
 * Who a proof of an issuer is here, and whether that opens a session.
 *
 * | Issuer and subject | Purpose | Outcome |
 * |---|---|---|
 * | known | any but link | signs in, after the rules of tenant and home tenant |
 * | known as somebody else | link | refused |
 * | unknown | link | attached to the account that is signed in and began it |
 * | unknown | invitation | a new sign-in for the ticket, when the verified address is the invited one and the tenant takes the issuer |
 * | unknown | marketplace | a new sign-in without a user; the sign-up goes on |
 * | unknown | sign_in | a new member where the connection's rule says so, otherwise no account |
 *
 * An address that belongs to another account never leads into that account; who was removed and is invited anew begins
 * anew, as with a password (sign-up.ts). So does who is known and disabled, since nobody could enable them; known and
 * active they keep their account. Everything one decision writes is one transaction; a crash leaves all of it or nothing.
 */
import type { Locale } from '@airdeck/domain/display-time';
import { AppError } from '../../http/app-error.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { OpenInvitation } from '../invitations/invitations-port.ts';
import type { TenantSettingsPort } from '../settings/settings-port.ts';
import type { Connection, ExternalProof } from '../sso/sso-port.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import type { LogRefusal, RecordSecurity } from './auth-call.ts';
import { type BeginAnewDeps, makeRoom } from './begin-anew.ts';
import type { Tickets } from './sign-up.ts';
import { attachAccount, createIdentity, findIdentity, type KnownIdentity, noteDirectory } from './sso-accounts.ts';
import { type FollowDependencies, follow, isTenantConnection, join, joiningRole, untoldOf } from './sso-membership.ts';
import type { ExternalPurpose } from './sso-pending.ts';
import { homePolicy } from './sso-policy.ts';
import { byConnection, recordRefusal } from './sso-refusals.ts';

export type ExternalDecision =
  | { step: 'signed_in' | 'second_factor'; identityUserId: string; externalId: string }
  | { step: 'linked'; externalId: string }
  /** `externalId`: whom it concerns, as far as that is known. */
  | { step: 'no_account' | 'failed'; reason: string; externalId?: string };

export type ExternalAttempt = {
  connection: Connection;
  proof: ExternalProof;
  purpose: ExternalPurpose;
  /** Who is signed in and began to link. */
  linkTo: string | undefined;
  /** Of an account made for somebody who joins. */
  locale: Locale;
  requestId: string;
};

export type ExternalSignInDeps = Omit<BeginAnewDeps, 'tenants'> & {
  db: Pick<Database, 'system'>;
  audit: Pick<AuditLog, 'record' | 'recordAll'>;
  record: RecordSecurity;
  tenants: Pick<
    TenantsService,
    'findUser' | 'findMembership' | 'createUser' | 'addMembership' | 'removeMembership' | 'deleteUser'
  >;
  settings: Pick<TenantSettingsPort, 'signInPolicy'>;
  breakGlass: FollowDependencies['breakGlass'];
  tickets: Tickets;
  log: LogRefusal;
  /** Issuer of our own tokens, which a user's row names. */
  localIssuer: string;
  ids: () => string;
  now: () => Date;
};

export async function decideExternal(deps: ExternalSignInDeps, attempt: ExternalAttempt): Promise<ExternalDecision> {
  // Outside of the transaction: it reads with one of its own.
  const invitation = await invitationOf(deps, attempt);
  return await deps.db.system(async (tx) => {
    const known = await findIdentity(sqlClient(tx), attempt.proof);
    if (known !== undefined) await noteDirectory(sqlClient(tx), attempt.proof);
    const decision =
      attempt.purpose.for === 'link'
        ? await link(deps, tx, attempt, known)
        : known === undefined
          ? await firstTime(deps, tx, attempt, invitation)
          : await again(deps, tx, { ...attempt, invitation }, known);
    if ('reason' in decision) await recordRefusal(tx, deps, attempt, decision);
    return decision;
  });
}

async function invitationOf(deps: ExternalSignInDeps, { purpose, requestId }: ExternalAttempt) {
  return purpose.for === 'invitation' ? await ifLive(deps.tickets.find(purpose.ticket, requestId)) : undefined;
}

/** The ticket may have run out while the person was away; the step after this one says so once more. */
async function ifLive<T>(ticket: Promise<T>): Promise<T | undefined> {
  try {
    return await ticket;
  } catch (error) {
    if (error instanceof AppError && error.code === 'TICKET_INVALID') return undefined;
    throw error;
  }
}

async function link(
  deps: ExternalSignInDeps,
  tx: Tx,
  { connection, proof, linkTo, requestId }: ExternalAttempt,
  known: KnownIdentity | undefined,
): Promise<ExternalDecision> {
  if (linkTo === undefined) return { step: 'failed', reason: 'SESSION_ENDED' };
  const client = sqlClient(tx);
  const { rows } = await client.query<{ externalId: string }>(
    'select "externalId" from identity."user" where "id" = $1 for update',
    [linkTo],
  );
  const [own] = rows;
  const user = own && (await deps.tenants.findUser(tx, own.externalId));
  if (user === undefined) return { step: 'no_account', reason: 'NO_USER' };
  if (known !== undefined) {
    return known.identityUserId === linkTo
      ? { step: 'linked', externalId: user.id }
      : { step: 'failed', reason: 'LINKED_ELSEWHERE', externalId: user.id };
  }
  if (isTenantConnection(connection) && !(await deps.tenants.findMembership(tx, user.id, connection.tenant))) {
    return { step: 'failed', reason: 'NOT_A_MEMBER', externalId: user.id };
  }
  await attachAccount(client, { id: deps.ids(), identityUserId: linkTo, proof, connection, at: deps.now() });
  const data = { connection: connection.id, issuer: proof.issuer };
  await deps.record({ externalId: user.id, action: 'external_account.link', outcome: 'ok', data, requestId }, tx);
  return { step: 'linked', externalId: user.id };
}

async function again(
  deps: ExternalSignInDeps,
  tx: Tx,
  attempt: ExternalAttempt & { invitation: OpenInvitation | undefined },
  known: KnownIdentity,
): Promise<ExternalDecision> {
  const { connection, proof, purpose, requestId, invitation } = attempt;
  const { identityUserId, externalId } = known;
  const user = await deps.tenants.findUser(tx, externalId);
  // An invitation or a purchase makes the user in its next step.
  if (user === undefined) {
    return purpose.for === 'sign_in'
      ? { step: 'no_account', reason: 'NO_USER' }
      : { step: 'signed_in', identityUserId, externalId };
  }
  if (user.status === 'disabled') {
    return invitation !== undefined && (await isLeft(deps, tx, { purpose, invitation, externalId }))
      ? await forInvitation(deps, tx, attempt, invitation)
      : { step: 'failed', reason: 'USER_DISABLED', externalId };
  }
  if (isTenantConnection(connection)) {
    const member = { connection, userId: user.id, proof };
    const untold = await follow(tx, deps, member, byConnection(connection, requestId));
    if (untold !== undefined) return { step: 'failed', reason: untold, externalId };
    // A tenant's issuer opens the door for people of that tenant only, and those it has invited. Whoever holds a ticket may
    // have it from somebody else, and the issuer says what address it likes: the account's own counts.
    const isInvited = invitation?.tenant === connection.tenant && invitation.email === user.email;
    if (!isInvited && !(await deps.tenants.findMembership(tx, user.id, connection.tenant))) {
      return { step: 'no_account', reason: 'NOT_A_MEMBER', externalId };
    }
  }
  const policy = await homePolicy(tx, deps, user);
  if (policy?.ssoRequired === true && connection.tenant !== user.home_tenant_id) {
    return { step: 'failed', reason: 'SSO_REQUIRED', externalId };
  }
  const step = policy?.socialNeedsAuthenticator === true && known.hasTotp ? 'second_factor' : 'signed_in';
  return { step, identityUserId, externalId };
}

/** Whether they are whom the inviting tenant removed, and nobody else has. Holds the ticket, as whoever uses it does. */
async function isLeft(
  { tickets, store }: ExternalSignInDeps,
  tx: Tx,
  given: { purpose: ExternalPurpose; invitation: OpenInvitation; externalId: string },
): Promise<boolean> {
  const { purpose, invitation, externalId } = given;
  const { email, tenant } = invitation;
  if (purpose.for !== 'invitation' || email === null) return false;
  if ((await ifLive(tickets.lock(tx, purpose.ticket))) === undefined) return false;
  return (await store.findLeft(tx, { email, tenant })) === externalId;
}

async function firstTime(
  deps: ExternalSignInDeps,
  tx: Tx,
  attempt: ExternalAttempt,
  invitation: OpenInvitation | undefined,
): Promise<ExternalDecision> {
  const { purpose } = attempt;
  switch (purpose.for) {
    case 'invitation':
      // Held until the end: the same ticket may be used with a password at this moment.
      return invitation === undefined || (await ifLive(deps.tickets.lock(tx, purpose.ticket))) === undefined
        ? { step: 'failed', reason: 'TICKET_INVALID' }
        : await forInvitation(deps, tx, attempt, invitation);
    case 'marketplace':
      return await newSignIn(deps, tx, attempt, { externalId: deps.ids(), emailVerified: true });
    default:
      return await joining(deps, tx, attempt);
  }
}

async function forInvitation(
  deps: ExternalSignInDeps,
  tx: Tx,
  attempt: ExternalAttempt,
  invitation: OpenInvitation,
): Promise<ExternalDecision> {
  const { connection, proof, requestId } = attempt;
  const { tenant } = invitation;
  if (isTenantConnection(connection) && connection.tenant !== tenant) {
    return { step: 'failed', reason: 'CONNECTION_OF_ANOTHER_TENANT' };
  }
  if (connection.tenant !== tenant && (await deps.settings.signInPolicy(tx, tenant)).ssoRequired) {
    return { step: 'failed', reason: 'SSO_REQUIRED' };
  }
  if (invitation.email !== null) {
    if (proof.email !== invitation.email) return { step: 'failed', reason: 'TICKET_FOR_ANOTHER' };
    // Before anything of anybody is deleted.
    if (!proof.emailVerified) return { step: 'failed', reason: 'EMAIL_UNVERIFIED' };
    const isFree = await makeRoom(deps, tx, { email: invitation.email, tenant, requestId });
    if (!isFree) return { step: 'failed', reason: 'EMAIL_TAKEN' };
  }
  return await newSignIn(deps, tx, attempt, { externalId: invitation.id, emailVerified: true });
}

/** A sign-in without a user of ours yet. */
async function newSignIn(
  deps: ExternalSignInDeps,
  tx: Tx,
  { connection, proof }: ExternalAttempt,
  { externalId, emailVerified }: { externalId: string; emailVerified: boolean },
): Promise<ExternalDecision> {
  if (proof.email === null || !proof.emailVerified) return { step: 'failed', reason: 'EMAIL_UNVERIFIED' };
  const client = sqlClient(tx);
  const id = deps.ids();
  const at = deps.now();
  const { email, name } = proof;
  const isNew = await createIdentity(client, { id, externalId, email, emailVerified, name, at });
  if (!isNew) return { step: 'failed', reason: 'EMAIL_TAKEN' };
  await attachAccount(client, { id: deps.ids(), identityUserId: id, proof, connection, at });
  return { step: 'signed_in', identityUserId: id, externalId };
}

/** Somebody new who becomes a member by signing in, where the tenant's rule says so. */
async function joining(deps: ExternalSignInDeps, tx: Tx, attempt: ExternalAttempt): Promise<ExternalDecision> {
  const { connection, proof, locale, requestId } = attempt;
  if (!isTenantConnection(connection) || !connection.join.enabled) return { step: 'no_account', reason: 'UNKNOWN' };
  if (proof.email === null || !proof.emailVerified) return { step: 'no_account', reason: 'EMAIL_UNVERIFIED' };
  const role = joiningRole(connection, proof);
  if (role === undefined) {
    const untold = untoldOf(connection, proof);
    return untold === undefined ? { step: 'no_account', reason: 'NOT_A_MEMBER' } : { step: 'failed', reason: untold };
  }
  // Before the account is made, in the order of whoever uses its ticket.
  const invited = await deps.tickets.findPending(tx, { tenant: connection.tenant, email: proof.email });
  if (await isTaken(tx, proof.email)) return { step: 'no_account', reason: 'EMAIL_TAKEN' };
  // The tenant's issuer vouches for the address inside that tenant; to everybody else it stays unproved.
  const made = await newSignIn(deps, tx, attempt, { externalId: deps.ids(), emailVerified: false });
  if (made.step !== 'signed_in') return { step: 'no_account', reason: 'EMAIL_TAKEN' };
  const by = byConnection(connection, requestId);
  const user = newUser(deps, { connection, proof: { ...proof, email: proof.email }, made });
  await deps.tenants.createUser(tx, { ...user, locale }, by);
  await join(tx, deps.tenants, { connection, userId: made.externalId, role }, by);
  // Nobody sees it any more, and its ticket could give another role or bring back who was removed.
  if (invited !== undefined) await deps.audit.record(tx, await deps.tickets.revoke(tx, invited, by));
  return made;
}

function newUser(
  deps: ExternalSignInDeps,
  {
    connection,
    proof,
    made,
  }: {
    connection: { tenant: string };
    proof: ExternalProof & { email: string };
    made: { identityUserId: string; externalId: string };
  },
) {
  return {
    id: made.externalId,
    uname: proof.email,
    fullname: proof.name,
    email: proof.email,
    homeTenant: connection.tenant,
    identity: { issuer: deps.localIssuer, subject: made.identityUserId },
  };
}

async function isTaken(tx: Tx, email: string): Promise<boolean> {
  const found = await tx
    .selectFrom('app_user')
    .select('id')
    .where((or) => or.or([or('email', '=', email), or('uname', '=', email)]))
    .executeTakeFirst();
  return found !== undefined;
}
