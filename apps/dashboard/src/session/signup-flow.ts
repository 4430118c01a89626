/**
 * Ticket of an invitation or token of a purchase while a sign-up runs: in this tab's session storage, because the flow
 * may leave the page for another provider, and nowhere else. The address bar loses it at once.
 */
import { createBrowserStorage } from '../lib/browser-storage.ts';
import { textParam } from '../lib/search-params.ts';

export type SignupFlow = { readonly ticket?: string; readonly token?: string };

const KEY = 'airdeck.signup';
const SECRET_MAX = 4096;
const storage = createBrowserStorage(() => window.sessionStorage);

export function signupFlow(): SignupFlow {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? flowOf(kept as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** One flow at a time: what an earlier one left is replaced. */
export function beginSignupFlow(flow: SignupFlow): void {
  storage.setItem(KEY, JSON.stringify(flow));
}

export function endSignupFlow(): void {
  storage.removeItem(KEY);
}

/**
 * Ticket or token of an address; undefined when it has none. A plus sign that was not percent-encoded has become a
 * space, which neither of them contains.
 */
export function flowOfSearch(search: Record<string, unknown>): SignupFlow | undefined {
  const flow = flowOf({ ticket: search.__clerk_ticket, token: search.token });
  return flow.ticket === undefined && flow.token === undefined ? undefined : flow;
}

function flowOf(values: Record<string, unknown>): SignupFlow {
  const secret = (name: string) => textParam(values, name, SECRET_MAX + 1)?.replaceAll(' ', '+');
  const ticket = secret('ticket');
  const token = secret('token');
  const fits = (value: string | undefined): value is string => value !== undefined && value.length <= SECRET_MAX;
  return { ...(fits(ticket) ? { ticket } : {}), ...(fits(token) ? { token } : {}) };
}
