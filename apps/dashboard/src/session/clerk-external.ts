/** Ways in through other providers: begun here, judged by Clerk, gone on with when the browser comes back. */
import type { Clerk } from '@clerk/clerk-js';
import { createBrowserStorage } from '../lib/browser-storage.ts';
import { clerkCall } from './clerk-errors.ts';
import { activate, type ClerkSession, clientOf, stepOf } from './clerk-sign-in.ts';
import { stepOfSignUp } from './clerk-sign-up.ts';
import {
  type ExternalConnection,
  type ExternalPurpose,
  IdentityError,
  type RedirectOutcome,
} from './identity-provider.ts';

export type ExternalDeps = ClerkSession & { leaveTo: (url: string) => void; origin: () => string };

type SocialStrategy = `oauth_${string}` &
  Parameters<NonNullable<Clerk['user']>['createExternalAccount']>[0]['strategy'];

const RETURN_TO = '/validate?oauth_callback=true';
const ENTERPRISE = 'enterprise_sso:';
/** For this tab alone, as with every sign-up that leaves the page. */
const KEY = 'airdeck.external';
const storage = createBrowserStorage(() => window.sessionStorage);

export function listConnections({ clerk }: ClerkSession, email?: string): readonly ExternalConnection[] {
  const settings = clerk.__internal_environment?.userSettings;
  const social = Object.values(settings?.social ?? {})
    .filter(({ enabled, authenticatable }) => enabled && authenticatable)
    .map(({ strategy, name }): ExternalConnection => ({ id: strategy, kind: kindOf(strategy), label: name }));
  if (email === undefined || settings?.enterpriseSSO.enabled !== true) return social;
  return [...social, { id: `${ENTERPRISE}${email}`, kind: 'oidc', label: 'Single sign-on' }];
}

function kindOf(strategy: string): ExternalConnection['kind'] {
  if (strategy === 'oauth_microsoft') return 'microsoft';
  return strategy === 'oauth_google' ? 'google' : 'oidc';
}

export async function startExternal(deps: ExternalDeps, connection: string, purpose: ExternalPurpose): Promise<void> {
  const redirectUrl = `${deps.origin()}${RETURN_TO}`;
  const strategy = connection as SocialStrategy;
  const url =
    purpose.for === 'link'
      ? await linkAddress(deps, { strategy, redirectUrl })
      : await signInAddress(deps, connection, redirectUrl);
  if (url == null || !/^https?:$/.test(url.protocol)) throw new IdentityError('EXTERNAL_SIGN_IN_FAILED');
  storage.setItem(KEY, JSON.stringify(purpose));
  deps.leaveTo(url.href);
}

async function linkAddress({ clerk }: ExternalDeps, given: { strategy: SocialStrategy; redirectUrl: string }) {
  const { user } = clerk;
  if (user == null) throw new IdentityError('SIGN_IN_EXPIRED');
  const account = await clerkCall(() => user.createExternalAccount(given), 'EXTERNAL_SIGN_IN_FAILED');
  return account.verification?.externalVerificationRedirectURL;
}

async function signInAddress(deps: ExternalDeps, connection: string, redirectUrl: string) {
  const { signIn } = clientOf(deps);
  const ways = { redirectUrl, actionCompleteRedirectUrl: redirectUrl };
  const begun = await clerkCall(
    () =>
      signIn.create(
        connection.startsWith(ENTERPRISE)
          ? { strategy: 'enterprise_sso', identifier: connection.slice(ENTERPRISE.length), ...ways }
          : { strategy: connection as SocialStrategy & `oauth_${string}`, ...ways },
      ),
    'EXTERNAL_SIGN_IN_FAILED',
  );
  return begun.firstFactorVerification.externalVerificationRedirectURL;
}

export async function completeRedirect(deps: ExternalDeps): Promise<RedirectOutcome> {
  const purpose = takePurpose();
  if (purpose === undefined) {
    return { step: 'failed', reason: new IdentityError('EXTERNAL_SIGN_IN_FAILED'), redirect: undefined };
  }
  const redirect = wayOn(purpose);
  try {
    if (purpose.for === 'link') return await completeLink(deps, purpose.redirect);
    return { step: await outcomeOf(deps, purpose), redirect };
  } catch (error) {
    if (error instanceof IdentityError) return { step: 'failed', reason: error, redirect };
    throw error;
  }
}

/** An account is made only for somebody who brings an invitation or a purchase. */
async function outcomeOf(deps: ExternalDeps, purpose: ExternalPurpose) {
  const client = clientOf(deps);
  const { signIn, signUp } = client;
  if (signUp.verifications.externalAccount.status === 'transferable') {
    return await stepOf(deps, await clerkCall(() => signIn.create({ transfer: true }), 'EXTERNAL_SIGN_IN_FAILED'));
  }
  const { status, error } = signIn.firstFactorVerification;
  if (status === 'transferable') {
    if (purpose.for !== 'invitation' && purpose.for !== 'marketplace') return 'no_account';
    const ticket = purpose.for === 'invitation' ? { ticket: purpose.ticket } : {};
    const made = await clerkCall(() => signUp.create({ transfer: true, ...ticket }), 'EXTERNAL_SIGN_IN_FAILED');
    return await stepOfSignUp(deps, made);
  }
  if (error != null || status === 'failed' || status === 'expired') throw new IdentityError('EXTERNAL_SIGN_IN_FAILED');
  // Signed in to this very account before: Clerk made no new session.
  const there = deps.clerk.session;
  if (signIn.status === null && there?.status === 'active') {
    await activate(deps, there.id);
    return 'signed_in';
  }
  return await stepOf(deps, signIn);
}

async function completeLink({ clerk }: ExternalDeps, redirect: string): Promise<RedirectOutcome> {
  const { user } = clerk;
  if (user == null) throw new IdentityError('SIGN_IN_EXPIRED');
  await clerkCall(() => user.reload());
  const failed = user.externalAccounts.find(({ verification }) => verification?.status !== 'verified');
  if (failed !== undefined) throw new IdentityError('EXTERNAL_SIGN_IN_FAILED');
  return { step: 'signed_in', redirect };
}

function takePurpose(): ExternalPurpose | undefined {
  const kept = storage.getItem(KEY);
  storage.removeItem(KEY);
  try {
    const value: unknown = JSON.parse(kept ?? 'null');
    return typeof value === 'object' && value !== null && 'for' in value ? (value as ExternalPurpose) : undefined;
  } catch {
    return undefined;
  }
}

function wayOn(purpose: ExternalPurpose): string | undefined {
  if (purpose.for === 'invitation')
    return `/signup/invite?${new URLSearchParams({ __clerk_ticket: purpose.ticket }).toString()}`;
  if (purpose.for === 'marketplace')
    return `/signup/azure/confirm?${new URLSearchParams({ token: purpose.token }).toString()}`;
  return purpose.redirect;
}
