/**
 * A sign-in as Clerk sees it: an object with a status that says what is missing, kept by Clerk until it is complete, so
 * that it goes on after the page was loaded anew. Complete means that a session was made; it counts once it is active.
 */
import type { Clerk } from '@clerk/clerk-js';
import { clerkCall, clerkCode } from './clerk-errors.ts';
import { IdentityError, type SignInStep } from './identity-provider.ts';

export type ClerkClient = NonNullable<Clerk['client']>;
export type ClerkSignIn = ClerkClient['signIn'];

/** Everything works on one instance that is loaded; `adopt` is told when somebody signed in. */
export type ClerkSession = { clerk: Clerk; adopt: () => void };

const REQUIRED_RESET: ReadonlySet<string> = new Set(['form_password_pwned', 'form_password_compromised']);

export function clientOf({ clerk }: Pick<ClerkSession, 'clerk'>): ClerkClient {
  if (clerk.client == null) throw new IdentityError('UNREACHABLE');
  return clerk.client;
}

export async function signInWithPassword(
  session: ClerkSession,
  { email, password }: { email: string; password: string },
): Promise<SignInStep> {
  const { signIn } = clientOf(session);
  try {
    const begun = await clerkCall(
      () => signIn.create({ strategy: 'password', identifier: email, password }),
      'CREDENTIALS_WRONG',
    );
    return await stepOf(session, begun, email);
  } catch (error) {
    // The password is right but known to be stolen: Clerk takes no sign-in with it any more.
    if (!REQUIRED_RESET.has(clerkCode(error) ?? '')) throw error;
    await beginReset(session, email);
    return 'new_password';
  }
}

/** Where a sign-in stands, activating the session of one that is complete. */
export async function stepOf(session: ClerkSession, signIn: ClerkSignIn, email?: string): Promise<SignInStep> {
  switch (signIn.status) {
    case 'complete':
      await activate(session, signIn.createdSessionId);
      return 'signed_in';
    case 'needs_second_factor':
    case 'needs_client_trust':
      await prepareSecondFactor(signIn);
      return 'second_factor';
    case 'needs_new_password':
      if (email === undefined) throw new IdentityError('SIGN_IN_EXPIRED');
      await beginReset(session, email);
      return 'new_password';
    case 'needs_first_factor':
      throw new IdentityError(hasOtherWay(signIn) ? 'SSO_REQUIRED' : 'CREDENTIALS_WRONG');
    case 'needs_protect_check':
      // Its challenge is a script of somebody else, which this page does not run.
      throw new IdentityError('NOT_SUPPORTED');
    default:
      throw new IdentityError('SIGN_IN_EXPIRED');
  }
}

/** The code of the authenticator, or the mailed one where Clerk asks for that: of a new device, or without an app. */
export async function attemptSecondFactor(
  session: ClerkSession,
  { strategy, code }: { strategy: 'code' | 'backup_code'; code: string },
): Promise<void> {
  const { signIn } = clientOf(session);
  if (signIn.status !== 'needs_second_factor' && signIn.status !== 'needs_client_trust') {
    throw new IdentityError('SIGN_IN_EXPIRED');
  }
  const wanted = strategy === 'backup_code' ? 'backup_code' : codeStrategy(signIn);
  if (wanted === undefined) throw new IdentityError('NOT_SUPPORTED');
  const attempted = await clerkCall(() => signIn.attemptSecondFactor({ strategy: wanted, code }), 'CODE_WRONG');
  if ((await stepOf(session, attempted)) !== 'signed_in') throw new IdentityError('CODE_WRONG');
}

export async function activate(session: ClerkSession, sessionId: string | null): Promise<void> {
  if (sessionId === null) throw new IdentityError('UNEXPECTED');
  await clerkCall(() => session.clerk.setActive({ session: sessionId }));
  session.adopt();
}

/** Clerk mails a code; for an address without an account nothing happens, and nobody can tell. */
export async function beginReset(session: ClerkSession, email: string): Promise<void> {
  const { signIn } = clientOf(session);
  try {
    const begun = await clerkCall(() => signIn.create({ identifier: email }));
    const factor = begun.supportedFirstFactors?.find(({ strategy }) => strategy === 'reset_password_email_code');
    if (factor === undefined || !('emailAddressId' in factor)) return;
    const { emailAddressId } = factor;
    await clerkCall(() => begun.prepareFirstFactor({ strategy: 'reset_password_email_code', emailAddressId }));
  } catch (error) {
    if (clerkCode(error) !== 'form_identifier_not_found') throw error;
  }
}

export async function checkResetCode(session: ClerkSession, given: { email: string; code: string }): Promise<void> {
  const { signIn } = clientOf(session);
  if (isProven(signIn, given.email)) return;
  const attempted = await clerkCall(
    () => signIn.attemptFirstFactor({ strategy: 'reset_password_email_code', code: given.code }),
    'CODE_WRONG',
  );
  if (attempted.status !== 'needs_new_password') throw new IdentityError('CODE_WRONG');
}

/** Ends in no session: the person signs in with the new password, and with the second factor, as everywhere else. */
export async function resetPassword(
  session: ClerkSession,
  given: { email: string; code: string; password: string },
): Promise<void> {
  await checkResetCode(session, given);
  const { signIn } = clientOf(session);
  const { password } = given;
  const set = await clerkCall(() => signIn.resetPassword({ password, signOutOfOtherSessions: true }), 'PASSWORD_WEAK');
  const { createdSessionId } = set;
  if (createdSessionId !== null) {
    await clerkCall(() => session.clerk.signOut(() => undefined, { sessionId: createdSessionId }));
  }
}

function isProven(signIn: ClerkSignIn, email: string): boolean {
  return signIn.status === 'needs_new_password' && signIn.identifier?.toLowerCase() === email.toLowerCase();
}

function hasOtherWay({ supportedFirstFactors }: ClerkSignIn): boolean {
  return (
    supportedFirstFactors?.some(
      ({ strategy }) => strategy === 'enterprise_sso' || strategy.startsWith('oauth_') || strategy === 'passkey',
    ) === true
  );
}

function codeStrategy({ supportedSecondFactors }: ClerkSignIn): 'totp' | 'email_code' | undefined {
  const offered = new Set<string>(supportedSecondFactors?.map(({ strategy }) => strategy));
  if (offered.has('totp')) return 'totp';
  return offered.has('email_code') ? 'email_code' : undefined;
}

async function prepareSecondFactor(signIn: ClerkSignIn): Promise<void> {
  const wanted = codeStrategy(signIn);
  if (wanted === 'totp') return;
  const factor = signIn.supportedSecondFactors?.find(({ strategy }) => strategy === 'email_code');
  if (wanted === undefined || factor === undefined) throw new IdentityError('NOT_SUPPORTED');
  const emailAddressId = 'emailAddressId' in factor ? factor.emailAddressId : undefined;
  await clerkCall(() =>
    signIn.prepareSecondFactor({
      strategy: 'email_code',
      ...(emailAddressId === undefined ? {} : { emailAddressId }),
    }),
  );
}
