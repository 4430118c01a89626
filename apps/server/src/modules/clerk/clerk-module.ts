import type { Egress } from '@airdeck/connector-kit/egress';
import type { ClerkAddress } from '../../config/clerk-address.ts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { IdentityVerifier, TrustedIssuer } from '../identity/identity-verifier.ts';
import type { LocalProfile } from '../identity/local-users.ts';
import type { DeliverTicket } from '../invitations/invitations-port.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import { createClerkClient } from './clerk-client.ts';
import { clerkIssuer } from './clerk-issuer.ts';
import { createClerkKeys } from './clerk-keys.ts';
import { createClerkProfiles } from './clerk-profiles.ts';
import { deleteMessagesBefore, findLeft, findSubject, listPendingOf, putTask } from './clerk-repository.ts';
import { withClerkPolicy } from './clerk-second-factor.ts';
import { type ClerkSync, createClerkSync } from './clerk-sync.ts';
import { createClerkWebhook } from './clerk-webhook.ts';
import { webhookKey } from './webhook-signature.ts';

/** Longer than Clerk repeats a notice. */
const MESSAGES_KEPT_MS = 30 * 24 * 3_600_000;

type Dependencies = {
  db: Pick<Database, 'system' | 'listen' | 'afterCommit'>;
  egress: Egress;
  address: ClerkAddress;
  apiUrl: string;
  secretKey: string;
  webhookSecret: string | undefined;
  /** Scheme and host under which people reach this installation; never taken from a request. */
  ownAddress: () => string;
  /** Whether this process tells Clerk; the others only note what there is to tell. */
  runsJobs: boolean;
  tenants: Pick<TenantsService, 'changeProfile' | 'setUserStatus'>;
  noteSignIn: (tx: Tx, userId: string, at: Date) => Promise<void>;
  now: () => Date;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

export type ClerkModule = {
  issuer: TrustedIssuer;
  verifierWith(verifier: IdentityVerifier): IdentityVerifier;
  /** What Clerk knows of an identity; undefined for those of others. Throws OVERLOADED. */
  findSignIn(identity: { issuer: string; subject: string }): Promise<LocalProfile | undefined>;
  /** Hands invitations to Clerk, which mails its own ticket. */
  deliver: DeliverTicket;
  /**
   * Our invitation behind a ticket of Clerk's, which is spent by the time it comes here: what counts is that Clerk's user
   * names it. Undefined for other identities and when there is none.
   */
  findInvitation(identity: { issuer: string; subject: string }): Promise<string | undefined>;
  /**
   * The user of an address, held, who is a member nowhere and was deleted at Clerk: whoever comes back has another account
   * there, and another user here.
   */
  findLeft(tx: Tx, email: string): Promise<string | undefined>;
  /** Deletes the account at Clerk, after the caller's system transaction. Call it before the user's row is erased. */
  removeSignIn(tx: Tx, user: string): Promise<void>;
  handlers: Handlers<'clerk.webhook'>;
  purge(): Promise<void>;
  sync: ClerkSync;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** The address is not there where Clerk is not the provider. */
export const withoutClerk: Handlers<'clerk.webhook'> = {
  'clerk.webhook': async () => {
    throw new AppError('ROUTE_NOT_FOUND');
  },
};

/** Clerk as the identity provider: see docs/decisions/0008-clerk-adapter.md. */
export function createClerkModule(deps: Dependencies): ClerkModule {
  const { db, now } = deps;
  const { issuer } = deps.address;
  const client = createClerkClient(deps);
  const profiles = createClerkProfiles({ client, now });
  const sync = createClerkSync({ ...deps, client, issuer });
  const key = deps.webhookSecret === undefined ? undefined : webhookKey(deps.webhookSecret);

  return {
    issuer: clerkIssuer({
      issuer,
      keys: createClerkKeys({ ...deps, keysUrl: deps.address.keysUrl }),
      ownOrigins: () => originsOf(deps.ownAddress()),
    }),
    verifierWith: (verifier) => withClerkPolicy(verifier, { issuer, profiles }),
    findSignIn: async (identity) => (identity.issuer === issuer ? await profiles.find(identity.subject) : undefined),
    async deliver(tx, { id, expiresAt }) {
      await putTask(tx, { kind: 'invite', object: id, detail: expiresAt.toISOString(), at: now() });
    },
    async findInvitation(identity) {
      if (identity.issuer !== issuer) return undefined;
      // The account may have been made a moment ago.
      const profile = await profiles.find(identity.subject, { fresh: true });
      if (profile?.emailVerified !== true) return undefined;
      const pending = await db.system((tx) => listPendingOf(tx, profile.email, now()));
      const named = pending.find((id) => id === profile.invitation);
      // Clerk may leave the metadata of accounts alone that were there before the invitation.
      return named ?? (pending.length === 1 ? pending[0] : undefined);
    },
    findLeft: (tx, email) => findLeft(tx, issuer, email),
    async removeSignIn(tx, user) {
      const subject = await findSubject(tx, issuer, user);
      if (subject === undefined) return;
      profiles.forget(subject);
      await putTask(tx, { kind: 'delete_user', object: subject, detail: '', at: now() });
    },
    handlers: { 'clerk.webhook': createClerkWebhook({ ...deps, issuer, profiles, key }) },
    purge: async () => {
      const before = new Date(now().getTime() - MESSAGES_KEPT_MS);
      await db.system((tx) => deleteMessagesBefore(tx, before));
    },
    sync,
    async start() {
      if (deps.runsJobs) await sync.start();
    },
    stop: sync.stop,
  };
}

/** A machine's own address is typed in two ways. */
function originsOf(address: string): readonly string[] {
  const { origin, hostname, port, protocol } = new URL(address);
  if (hostname !== 'localhost') return [origin];
  return [origin, `${protocol}//127.0.0.1${port === '' ? '' : `:${port}`}`];
}
