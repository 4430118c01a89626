/** What Clerk offers beyond the plain sign-in; see `identity-provider.ts`. Loaded when first needed. */
import type { Clerk } from '@clerk/clerk-js';
import { clerkCall } from './clerk-errors.ts';
import { completeRedirect, type ExternalDeps, listConnections, startExternal } from './clerk-external.ts';
import { beginReset, checkResetCode, clientOf, resetPassword, stepOf } from './clerk-sign-in.ts';
import { previewTicket, signUpWithEmail, signUpWithTicket, verifyEmail } from './clerk-sign-up.ts';
import {
  type AccountSecurity,
  type ActiveSession,
  type IdentityAccount,
  IdentityError,
  type Passkey,
} from './identity-provider.ts';

type ClerkUser = NonNullable<Clerk['user']>;

export function createClerkIdentityAccount(deps: ExternalDeps): IdentityAccount {
  const user = () => userOf(deps.clerk);
  return {
    requestPasswordReset: (email) => beginReset(deps, email),
    checkResetCode: (given) => checkResetCode(deps, given),
    resetPassword: (given) => resetPassword(deps, given),

    listConnections: async (email) => listConnections(deps, email),
    startExternal: (connection, purpose) => startExternal(deps, connection, purpose),
    completeRedirect: () => completeRedirect(deps),
    async signInWithPasskey() {
      const { signIn } = clientOf(deps);
      const signedIn = await clerkCall(
        () => signIn.authenticateWithPasskey({ flow: 'discoverable' }),
        'PASSKEY_FAILED',
      );
      if ((await stepOf(deps, signedIn)) !== 'signed_in') throw new IdentityError('PASSKEY_FAILED');
    },

    previewTicket: (ticket) => previewTicket(deps, ticket),
    signUpWithTicket: (given) => signUpWithTicket(deps, given),
    signUpWithEmail: (given) => signUpWithEmail(deps, given),
    verifyEmail: (given) => verifyEmail(deps, given),

    security: async () => securityOf(user()),
    prove: (given) => prove(deps.clerk, given),
    changePassword: async ({ currentPassword, newPassword }) =>
      void (await clerkCall(
        () => user().updatePassword({ currentPassword, newPassword, signOutOfOtherSessions: true }),
        'CREDENTIALS_WRONG',
      )),
    async beginTotp() {
      const { secret, uri } = await clerkCall(() => user().createTOTP());
      if (!secret || !uri) throw new IdentityError('UNEXPECTED');
      return { secret, uri };
    },
    async confirmTotp(code) {
      const { backupCodes } = await clerkCall(() => user().verifyTOTP({ code }), 'CODE_WRONG');
      // The token at hand still says that there is no second factor.
      deps.clerk.session?.clearCache();
      return backupCodes ?? (await newRecoveryCodes(user()));
    },
    regenerateRecoveryCodes: () => newRecoveryCodes(user()),
    async addPasskey(name) {
      const passkey = await clerkCall(() => user().createPasskey(), 'PASSKEY_FAILED');
      await clerkCall(() => passkey.update({ name }));
    },
    async removePasskey(id) {
      const passkey = user().passkeys.find((entry) => entry.id === id);
      if (passkey !== undefined) await clerkCall(() => passkey.delete());
    },
    unlinkExternal: (id) => unlinkExternal(user(), id),
    listSessions: () => listSessions(deps.clerk),
    revokeSessions: (which) => revokeSessions(deps.clerk, which),
  };
}

function userOf({ user }: Clerk): ClerkUser {
  if (user == null) throw new IdentityError('SIGN_IN_EXPIRED');
  return user;
}

function securityOf(user: ClerkUser): AccountSecurity {
  return {
    email: user.primaryEmailAddress?.emailAddress ?? '',
    hasPassword: user.passwordEnabled,
    hasTotp: user.totpEnabled,
    recoveryCodesLeft: user.backupCodeEnabled ? undefined : 0,
    passkeys: user.passkeys.map(
      ({ id, name, createdAt, lastUsedAt }): Passkey => ({
        id,
        name: name ?? '',
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString(),
      }),
    ),
    external: user.verifiedExternalAccounts.map((account) => ({
      id: account.id,
      label: account.providerTitle(),
      account: account.accountIdentifier(),
    })),
  };
}

/** Clerk's own step-up: it lets changes through for a while afterwards. */
async function prove(clerk: Clerk, given: { code: string } | { password: string }): Promise<void> {
  const { session } = clerk;
  if (session == null) throw new IdentityError('SIGN_IN_EXPIRED');
  if ('code' in given) {
    await clerkCall(() => session.startVerification({ level: 'second_factor' }));
    const { status } = await clerkCall(
      () => session.attemptSecondFactorVerification({ strategy: 'totp', code: given.code }),
      'CODE_WRONG',
    );
    if (status !== 'complete') throw new IdentityError('CODE_WRONG');
    return;
  }
  await clerkCall(() => session.startVerification({ level: 'first_factor' }));
  const { status } = await clerkCall(
    () => session.attemptFirstFactorVerification({ strategy: 'password', password: given.password }),
    'CREDENTIALS_WRONG',
  );
  if (status !== 'complete') throw new IdentityError('CREDENTIALS_WRONG');
}

async function newRecoveryCodes(user: ClerkUser): Promise<readonly string[]> {
  return (await clerkCall(() => user.createBackupCode())).codes;
}

async function unlinkExternal(user: ClerkUser, id: string): Promise<void> {
  const account = user.externalAccounts.find((entry) => entry.id === id);
  if (account === undefined) return;
  const others = user.verifiedExternalAccounts.filter((entry) => entry.id !== id);
  if (!user.passwordEnabled && user.passkeys.length === 0 && others.length === 0) {
    throw new IdentityError('ONLY_WAY_IN');
  }
  await clerkCall(() => account.destroy(), 'ONLY_WAY_IN');
}

async function listSessions(clerk: Clerk): Promise<readonly ActiveSession[]> {
  const sessions = await clerkCall(() => userOf(clerk).getSessions());
  return sessions
    .filter(({ status }) => status === 'active')
    .map(({ id, lastActiveAt, latestActivity: { browserName, browserVersion, deviceType, ipAddress } }) => ({
      id,
      isCurrent: id === clerk.session?.id,
      startedAt: undefined,
      lastSeenAt: lastActiveAt.toISOString(),
      address: ipAddress ?? '',
      userAgent: [browserName, browserVersion, deviceType && `(${deviceType})`].filter(Boolean).join(' '),
    }));
}

async function revokeSessions(clerk: Clerk, which: { id: string } | 'others'): Promise<void> {
  const sessions = await clerkCall(() => userOf(clerk).getSessions());
  const meant = sessions.filter(({ id, status }) =>
    which === 'others' ? status === 'active' && id !== clerk.session?.id : id === which.id,
  );
  for (const session of meant) await clerkCall(() => session.revoke());
}
