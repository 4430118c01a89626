import { safeRedirect } from '@airdeck/domain/safe-redirect';
import { redirect } from '@tanstack/react-router';
import { defined } from '../../lib/search-params.ts';
import type { AppContext } from '../../session/app-context.ts';
import { currentUserQuery, isAccountMissing } from '../../session/current-user.ts';
import { handedOver } from '../../session/handover.ts';

type Visit = { context: AppContext; redirectTo: string | undefined; path: string };

/**
 * Guard of the set-up of an authenticator: its steps follow each other, whatever address is typed. Whoever has one has
 * no business here any more; changing it belongs to the profile.
 */
export async function enterOnboarding({ context, redirectTo, path }: Visit): Promise<void> {
  const { api, identity, queryClient } = context;
  const search = defined({ redirect: redirectTo });
  if (!(await identity.isSignedIn())) throw redirect({ to: '/login', search });
  const settingUp = path.startsWith('/onboarding/setting-up');
  const query = currentUserQuery(api);
  const me = await queryClient.ensureQueryData(query).catch((error: unknown) => {
    if (isAccountMissing(error)) throw redirect({ to: '/account-not-found', search });
    throw error;
  });
  const { totpBegun, totpSet } = handedOver(queryClient);
  if (settingUp) {
    if (totpSet === true || me.user.mfa_enabled) return;
    throw redirect({ to: '/onboarding/setup-totp', search });
  }
  if (totpSet === true) throw redirect({ to: '/onboarding/setting-up', search });
  if (me.user.mfa_enabled) throw redirect({ href: safeRedirect(redirectTo) });
  if (path.startsWith('/onboarding/confirm-totp') && totpBegun !== true) {
    throw redirect({ to: '/onboarding/setup-totp', search });
  }
}
