import { redirect } from '@tanstack/react-router';
import { parseSearch, textParam } from '../../lib/search-params.ts';
import type { AppContext } from '../../session/app-context.ts';
import { beginSignupFlow, flowOfSearch, signupFlow } from '../../session/signup-flow.ts';
import { isSignupAttempt, withoutTrailingSlash } from './signup-attempt.ts';

const SWITCH = '/signup/switch-accounts';
const CONFIRM = '/signup/azure/confirm';
const PURCHASE = '/signup/azure';

type Location = { pathname: string; search: object };

/**
 * Rule of everything under `/signup` (spec §2): whoever is signed in chooses first which account goes on, except on the
 * page for choosing and on the purchase's last step. Ticket and token are taken out of the address before anything else
 * is shown.
 */
export async function enterSignup({ identity }: Pick<AppContext, 'identity'>, location: Location): Promise<void> {
  const path = withoutTrailingSlash(location.pathname);
  const search = location.search as Record<string, unknown>;
  const stripped = takeFlow(path, search);
  const signedIn = await identity.isSignedIn();
  if (path === SWITCH) return chooseAccount({ signedIn, stripped, search });
  if (!isSignupAttempt(path)) return;
  if (signedIn && path !== CONFIRM) throw redirect({ to: SWITCH, search: { attempt_pathname: path } });
  if (path.startsWith(PURCHASE) && signupFlow().token === undefined) throw redirect({ to: '/login' });
  if (path === CONFIRM && !signedIn) throw redirect({ to: PURCHASE });
  if (stripped) throw redirect({ href: path, replace: true });
}

type Choice = { signedIn: boolean; stripped: boolean; search: Record<string, unknown> };

function chooseAccount({ signedIn, stripped, search }: Choice): void {
  const attempt = textParam(search, 'attempt_pathname');
  if (!signedIn) throw redirect({ href: attempt !== undefined && isSignupAttempt(attempt) ? attempt : '/login' });
  // Required (spec §5), and only ever an address of ours: with anything else there is nothing to choose for.
  if (attempt === undefined || !isSignupAttempt(attempt)) throw redirect({ to: '/home' });
  if (stripped) throw redirect({ to: SWITCH, search: { attempt_pathname: attempt }, replace: true });
}

function takeFlow(path: string, search: Record<string, unknown>): boolean {
  const attempted = path === SWITCH ? textParam(search, 'attempt_search', 5000) : undefined;
  const flow = flowOfSearch(attempted === undefined ? search : parseSearch(attempted));
  if (flow !== undefined) beginSignupFlow(flow);
  return flow !== undefined || attempted !== undefined;
}
