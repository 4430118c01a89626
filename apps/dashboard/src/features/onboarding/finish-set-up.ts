import { safeRedirect } from '@airdeck/domain/safe-redirect';
import type { AppContext } from '../../session/app-context.ts';
import { currentUserQuery } from '../../session/current-user.ts';
import { waitForExternalId } from '../../session/external-id.ts';
import { presentSession } from '../../session/tenant-session.ts';

/** What stands between the saved recovery codes and the dashboard, in this order. */
export const setUpTasks = ['sign_in', 'authenticator', 'account', 'tenant'] as const;
export type SetUpTask = (typeof setUpTasks)[number];

/** The server did not say within 30 s that the authenticator counts. */
export class AuthenticatorMissing extends Error {
  override readonly name = 'AuthenticatorMissing';
}

type Deps = {
  wait: (milliseconds: number) => Promise<void>;
  now: () => number;
  random: () => number;
};

type Run = {
  context: AppContext;
  redirect: string | undefined;
  onTask: (task: SetUpTask) => void;
  signal: AbortSignal;
  deps: Deps;
};

/**
 * Renews the sign-in, waits until the server counts the authenticator, and loads what the dashboard begins with.
 *
 * @returns where to go, or undefined when the user has no tenant
 */
export async function finishSetUp({ context, redirect, onTask, signal, deps }: Run): Promise<string | undefined> {
  const { api, identity, queryClient, session } = context;
  onTask('sign_in');
  await identity.getToken({ refresh: true });
  onTask('authenticator');
  const query = currentUserQuery(api);
  const me = await waitForExternalId(async () => {
    signal.throwIfAborted();
    const found = await queryClient.fetchQuery({ ...query, staleTime: 0 });
    return found.user.mfa_enabled ? found : undefined;
  }, deps);
  if (me === undefined) throw new AuthenticatorMissing();
  onTask('account');
  const next = presentSession(me, [session.get()?.currentTenant]);
  if (next === undefined) return undefined;
  session.set(next);
  onTask('tenant');
  // Refused while there was no second factor; that it answers now is what "ready" means.
  await api.call('tenants.get', { params: { tenant: next.currentTenant }, signal });
  return safeRedirect(redirect);
}
