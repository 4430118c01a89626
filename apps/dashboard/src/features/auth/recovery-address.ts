import { redirect } from '@tanstack/react-router';
import { isEmailAddress } from '../../lib/email-address.ts';
import { redirectSearch, textParam } from '../../lib/search-params.ts';
import type { AppContext } from '../../session/app-context.ts';
import { handOver } from '../../session/handover.ts';

type Visit = {
  context: Pick<AppContext, 'queryClient'>;
  location: { search: object };
};

/**
 * E-mail and code of a mailed link, taken out of the address at once: they must stand in no history and no referrer.
 * What is not an e-mail address or no code is dropped; the screen then says that the link is incomplete (spec §5).
 */
export function takeFromAddress({ context, location }: Visit, to: '/confirm-code' | '/reset-password'): void {
  const search = location.search as Record<string, unknown>;
  if (search.email === undefined && search.code === undefined) return;
  const email = textParam(search, 'email', 255);
  const code = textParam(search, 'code', 64);
  handOver(context.queryClient, {
    ...(email !== undefined && isEmailAddress(email) ? { email } : {}),
    ...(code === undefined ? {} : { code }),
  });
  throw redirect({ to, search: redirectSearch(search), replace: true });
}
