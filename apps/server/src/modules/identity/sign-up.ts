/**
 * Making a sign-in. A password is hashed before the transaction, under the bound all sign-ins share; the transaction
 * then holds the ticket, or uses the code up, and creates the sign-in: both happen or neither.
 *
 * Somebody whom their tenant removed and invites anew begins anew, because they may have lost every factor: the ticket shows
 * as much as it did at the beginning. Their account is deleted with all of its factors when the ticket is used, unless
 * another tenant still has it.
 *
 * A tenant that asks for single sign-on takes no password from whoever it invites. Where it begins to ask while somebody
 * signs up, their session ends when they accept.
 */
import { AppError } from '../../http/app-error.ts';
import { addressName } from '../../http/call-quotas.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { OpenInvitation } from '../invitations/invitations-port.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { ConnectionChoice } from '../sso/sso-port.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';
import type { AfterAnswer } from './after-answer.ts';
import { addressSubject } from './attempt-guard.ts';
import { makeRoom } from './begin-anew.ts';
import type { LocalUsers } from './local-users.ts';
import { CODE_LIVES_MS, type MailCodes, takeMail } from './mail-codes.ts';
import { signUpCodeMail, signUpKnownMail } from './sign-up-mails.ts';
import type { SignUpStore } from './sign-up-store.ts';
import type { SsoPolicy } from './sso-policy.ts';

const MAILS_PER_ADDRESS = 3;
const REQUESTS_PER_CLIENT = 30;
const QUARTER_OF_AN_HOUR_S = 900;

/** What sign-up needs to know of invitations; the module itself depends on this one. */
export type Tickets = {
  /** Throws TICKET_INVALID. */
  find(ticket: string, requestId: string): Promise<OpenInvitation>;
  /** Keeps others off the ticket until the transaction ends. Throws TICKET_INVALID. */
  lock(tx: Tx, ticket: string): Promise<{ id: string; email: string | null; tenant_id: string }>;
  /** Id of the pending invitation of an address. Nobody else uses it until the transaction ends. */
  findPending(tx: Tx, of: { tenant: string; email: string }): Promise<string | undefined>;
  /** Returns the record, which the caller writes with its own. */
  revoke(tx: Tx, id: string, by: ChangedBy): Promise<AuditEntry>;
};

/** Says whether a purchase is genuine, so that only buyers can sign up by e-mail. */
export type Purchases = { isGenuine(token: string): Promise<boolean> };

type Created = { subject: string };
type Person = { email: string; fullname: string; password: string };
/** Somebody without an account, as their browser describes them. */
type Applicant = Person & { browser: string; locale: string };

export type SignUp = {
  /** `onlyConnections`: what to come in with instead of a password, where the tenant takes none. */
  preview(
    ticket: string,
    requestId: string,
  ): Promise<{ invitation: OpenInvitation; isKnown: boolean; onlyConnections: ConnectionChoice[] | undefined }>;
  /** The address a ticket is for, or the one given where it is for any. Throws TICKET_INVALID, VALIDATION_FAILED. */
  addressOf(given: { ticket: string; email?: string | undefined; requestId: string }): Promise<string>;
  /** Throws TICKET_INVALID, EMAIL_TAKEN. */
  withTicket(given: Person & { ticket: string; requestId: string }): Promise<Created | 'sso_required'>;
  /** Throws MARKETPLACE_TOKEN_INVALID, RATE_LIMITED. What depends on the address happens after the answer. */
  begin(given: Applicant & { clientAddress: string; purchaseToken: string }): Promise<void>;
  verify(given: { email: string; code: string; browser: string }): Promise<Created | 'refused' | 'locked'>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  users: Pick<LocalUsers, 'register' | 'remove'>;
  tenants: Pick<TenantsService, 'deleteUser'>;
  policy: Pick<SsoPolicy, 'onlyConnections'>;
  /** Slow on purpose; shares the bound of sign-ins. */
  hashPassword: (password: string) => Promise<string>;
  store: SignUpStore;
  codes: MailCodes;
  mail: Mail;
  afterAnswer: AfterAnswer;
  tickets: Pick<Tickets, 'find' | 'lock'>;
  /** Undefined where nothing is sold: then nobody can sign up by e-mail. */
  purchases: Purchases | undefined;
  productName: string;
  ids: () => string;
  now: () => Date;
};

export function createSignUp(deps: Dependencies): SignUp {
  const { db, store, tickets } = deps;
  return {
    async preview(ticket, requestId) {
      const invitation = await tickets.find(ticket, requestId);
      const { email, tenant } = invitation;
      const isKnown = email !== null && (await db.system((tx) => isTaken(store, tx, { email, tenant })));
      return { invitation, isKnown, onlyConnections: await deps.policy.onlyConnections(tenant) };
    },
    async addressOf({ ticket, email, requestId }) {
      const invitation = await tickets.find(ticket, requestId);
      const given = email?.toLowerCase();
      if (invitation.email !== null) {
        if (given !== undefined && given !== invitation.email) throw new AppError('TICKET_INVALID');
        return invitation.email;
      }
      if (given !== undefined) return given;
      throw new AppError('VALIDATION_FAILED', {
        details: [{ path: 'body.email', message: 'This invitation is for no address yet: say yours.' }],
      });
    },
    withTicket: (given) => withTicket(deps, given),
    async begin({ purchaseToken, clientAddress, ...given }) {
      const subject = addressSubject('sign-up-client', addressName(clientAddress));
      const limit = { subject, max: REQUESTS_PER_CLIENT };
      if (!(await db.system((tx) => takeMail(sqlClient(tx), limit, deps.now())))) {
        throw new AppError('RATE_LIMITED', { retryAfterS: QUARTER_OF_AN_HOUR_S });
      }
      if ((await deps.purchases?.isGenuine(purchaseToken)) !== true) throw new AppError('MARKETPLACE_TOKEN_INVALID');
      deps.afterAnswer.start(() => mailCode(deps, { ...given, email: given.email.toLowerCase() }));
    },
    async verify({ email: typed, code, browser }) {
      const email = typed.toLowerCase();
      const owner = { purpose: 'sign-up', email, browser } as const;
      const verdict = await deps.codes.judge(owner, code);
      if (verdict !== 'accepted') return verdict;
      const created = await db.system(async (tx) => {
        if (!(await deps.codes.consume(tx, owner, code))) return undefined;
        const pending = await store.take(tx, browser);
        if (pending?.email !== email || (await store.isAddressKnown(tx, email))) return undefined;
        return await deps.users.register(tx, { ...pending, externalId: deps.ids() });
      });
      return created ?? 'refused';
    },
  };
}

type Invited = { email: string; tenant: string };

/** Whether somebody has the address and is not to begin anew. */
async function isTaken(store: SignUpStore, tx: Tx, invited: Invited): Promise<boolean> {
  return (await store.isAddressKnown(tx, invited.email)) && (await store.findLeft(tx, invited)) === undefined;
}

async function withTicket(
  deps: Dependencies,
  given: Person & { ticket: string; requestId: string },
): Promise<Created | 'sso_required'> {
  const { db, store, tickets } = deps;
  const { ticket, email, fullname } = given;
  const taken = () =>
    new AppError('EMAIL_TAKEN', { message: 'There is an account with this e-mail address already. Sign in to it.' });
  const { tenant } = await tickets.find(ticket, given.requestId);
  if ((await deps.policy.onlyConnections(tenant)) !== undefined) return 'sso_required';
  if (await db.system((tx) => isTaken(store, tx, { email, tenant }))) throw taken();
  const passwordHash = await deps.hashPassword(given.password);
  const created = await db.system(async (tx) => {
    const invitation = await tickets.lock(tx, ticket);
    const left = { email, tenant: invitation.tenant_id, requestId: given.requestId };
    const isFree =
      invitation.email === email ? await makeRoom(deps, tx, left) : !(await store.isAddressKnown(tx, email));
    if (!isFree) return undefined;
    // An invitation to an address names the user's id, so that whoever resumes a broken sign-up is the same user.
    const externalId = invitation.email === null ? deps.ids() : invitation.id;
    return await deps.users.register(tx, { externalId, email, fullname, passwordHash });
  });
  if (created === undefined) throw taken();
  return created;
}

/** The same statements for known and unknown addresses; the code for a known one is in no mail. */
async function mailCode(deps: Dependencies, given: Applicant): Promise<void> {
  const { email, fullname, browser, locale } = given;
  const passwordHash = await deps.hashPassword(given.password);
  await deps.db.system(async (tx) => {
    // What was typed last counts, also with the code of an earlier mail.
    const expiresAt = new Date(deps.now().getTime() + CODE_LIVES_MS);
    await deps.store.put(tx, browser, { email, fullname, passwordHash, expiresAt });
    const subject = addressSubject('sign-up-mail', email);
    if (!(await takeMail(sqlClient(tx), { subject, max: MAILS_PER_ADDRESS }, deps.now()))) return;
    const isKnown = await deps.store.isAddressKnown(tx, email);
    const code = await deps.codes.issue(tx, { purpose: 'sign-up', email, browser });
    const { productName } = deps;
    await deps.mail.queue(tx, {
      to: email,
      reader: { locale, timeZone: '' },
      write: (words) =>
        isKnown ? signUpKnownMail(words, { productName }) : signUpCodeMail(words, { productName, code }),
    });
  });
}
