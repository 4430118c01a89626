import { safeRedirect } from '@airdeck/domain/safe-redirect';
import { redirect } from '@tanstack/react-router';
import { defined } from '../../lib/search-params.ts';
import type { AppContext } from '../../session/app-context.ts';
import { currentUserQuery, isAccountMissing } from '../../session/current-user.ts';
import { handedOver } from '../../session/handover.ts';
import { presentSession } from '../../session/tenant-session.ts';

/** Only for those without an account or tenant; everybody else is led to where they belong (spec §2). */
export async function enterAccountNotFound(
  { api, identity, queryClient }: AppContext,
  askedFor: string | undefined,
): Promise<void> {
  if (handedOver(queryClient).noAccount === true) return;
  if (!(await identity.isSignedIn())) throw redirect({ to: '/login', search: defined({ redirect: askedFor }) });
  const me = await queryClient.ensureQueryData(currentUserQuery(api)).catch((error: unknown) => {
    if (isAccountMissing(error)) return undefined;
    throw error;
  });
  if (me !== undefined && me.user.external_id !== null && presentSession(me, []) !== undefined) {
    throw redirect({ href: safeRedirect(askedFor) });
  }
}
