/**
 * What `/validate` does after a sign-in (spec §4, sign-in flow): completes a redirect from another provider, waits for
 * the account, asks for an authenticator where there is neither one nor an external account, then goes on. It always
 * ends by leading somewhere.
 */
import { safeRedirect } from '@airdeck/domain/safe-redirect';
import { redirect } from '@tanstack/react-router';
import { INVITATION } from '../../components/entry/asked-for.ts';
import { t } from '../../language/translate.ts';
import { defined, parseSearch } from '../../lib/search-params.ts';
import { noteFailure } from '../../lib/telemetry-queue.ts';
import { toasts } from '../../lib/toasts.ts';
import { acceptInvitation } from '../../session/accept-invitation.ts';
import type { AppContext } from '../../session/app-context.ts';
import { handOver } from '../../session/handover.ts';
import type { RedirectOutcome } from '../../session/identity-provider.ts';
import { beginSignupFlow, endSignupFlow, flowOfSearch, type SignupFlow } from '../../session/signup-flow.ts';
import { loadValidatedUser } from './validate-user.ts';

type Visit = {
  context: AppContext;
  search: {
    redirect?: string | undefined;
    oauth_callback?: boolean | undefined;
    signup_flow?: boolean | undefined;
  };
  signal: AbortSignal;
};

export async function goOnAfterSignIn({ context, search, signal }: Visit): Promise<never> {
  if (search.oauth_callback === true) return await afterOtherProvider(context, search.redirect);
  if (!(await context.identity.isSignedIn())) {
    throw redirect({ to: '/login', search: defined({ redirect: search.redirect }) });
  }
  // The token at hand was issued before the account was there.
  if (search.signup_flow === true) await context.identity.getToken({ refresh: true });
  const me = await loadValidatedUser(context, signal);
  if (me === undefined) {
    noteFailure(new Error('No account of ours appeared after the sign-in.'));
    throw redirect({ to: '/account-not-found', search: defined({ redirect: search.redirect }) });
  }
  if (!me.user.mfa_enabled && !me.user.social) {
    throw redirect({ to: '/onboarding/setup-totp', search: defined({ redirect: search.redirect }) });
  }
  endSignupFlow();
  throw redirect({ href: safeRedirect(search.redirect) });
}

async function afterOtherProvider(context: AppContext, asked: string | undefined): Promise<never> {
  const outcome = await (await context.identity.account()).completeRedirect();
  const way = outcome.redirect ?? asked;
  if (outcome.step === 'failed') return await tellFailure(context, outcome.reason, way);
  const flow = keepFlow(way);
  switch (outcome.step) {
    case 'signed_in':
      if (flow?.ticket !== undefined) return await joinByTicket(context, flow.ticket);
      if (flow?.token !== undefined) throw redirect({ to: '/signup/azure/confirm' });
      throw redirect({ to: '/validate', search: defined({ redirect: way }) });
    case 'no_account':
      if (flow?.token !== undefined)
        throw redirect({ to: '/signup/azure/callback/$step', params: { step: 'continue' } });
      handOver(context.queryClient, { noAccount: true });
      throw redirect({ to: '/account-not-found', search: defined({ redirect: way }) });
    default:
      return leadToStep(context, outcome.step, { flow, way });
  }
}

/** Where it was begun: an invitation and a purchase have a sign-in of their own, and what they are about is still there. */
async function tellFailure(context: AppContext, problem: Error, way: string | undefined): Promise<never> {
  // Whoever is signed in wanted to add the other account to theirs.
  if (await context.identity.isSignedIn()) {
    toasts.add({ title: t('The account was not added'), message: problem.message, danger: true });
    throw redirect({ href: safeRedirect(way ?? '/settings/profile') });
  }
  handOver(context.queryClient, { problem });
  const flow = keepFlow(way);
  if (flow?.ticket !== undefined) throw redirect({ to: INVITATION });
  if (flow?.token !== undefined) throw redirect({ to: '/signup/azure' });
  throw redirect({ to: '/login', search: defined({ redirect: way }) });
}

type Left = Exclude<RedirectOutcome['step'], 'failed' | 'signed_in' | 'no_account'>;

/** The steps that are left, on the screens of the flow they belong to. */
function leadToStep(
  context: AppContext,
  step: Left,
  { flow, way }: { flow: SignupFlow | undefined; way: string | undefined },
): never {
  if (flow?.token !== undefined || step === 'email_unverified') {
    throw redirect({ to: '/signup/azure/callback/$step', params: { step: purchaseSteps[step] } });
  }
  if (step === 'new_password') {
    throw redirect({
      to: '/new-password-required',
      search: defined({ redirect: flow === undefined ? way : INVITATION }),
    });
  }
  handOver(context.queryClient, { secondFactor: true });
  if (flow !== undefined) throw redirect({ to: '/signup/invite' });
  throw redirect({ to: '/login', search: defined({ redirect: way }) });
}

const purchaseSteps = {
  second_factor: 'second-factor',
  new_password: 'reset-password',
  email_unverified: 'verify-email',
} as const satisfies Record<Left, string>;

/** Ticket or token of the way on, kept for the rest of the sign-up; undefined when it leads elsewhere. */
function keepFlow(way: string | undefined): SignupFlow | undefined {
  const [path = '', search = ''] = (way ?? '').split('?', 2);
  if (path !== '/signup/invite' && path !== '/signup/azure/confirm') return undefined;
  const flow = flowOfSearch(parseSearch(search));
  if (flow !== undefined) beginSignupFlow(flow);
  return flow;
}

/** Joining was asked for on the page of the invitation. Should it fail, that page says why. */
async function joinByTicket(context: AppContext, ticket: string): Promise<never> {
  let redirectTo: string;
  try {
    redirectTo = await acceptInvitation(context, ticket);
  } catch {
    throw redirect({ to: '/signup/invite' });
  }
  throw redirect({ to: '/validate', search: { signup_flow: true, redirect: redirectTo } });
}
