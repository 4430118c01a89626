import { redirect } from '@tanstack/react-router';
import { screenTexts } from '../language/page-language.ts';
import { wipeCaches } from '../lib/wipe-caches.ts';
import { NOT_A_MEMBER } from './access.ts';
import type { AppContext } from './app-context.ts';
import { currentUserQuery, isAccountMissing } from './current-user.ts';
import { isSameSession, presentSession, sessionIn } from './tenant-session.ts';

type Entry = {
  context: AppContext;
  /** Address asked for, kept through the sign-in. */
  href: string;
  /** Tenant named in the address (spec §2). */
  tenant: string | undefined;
  /** Takes what the cache has, however old. */
  forceCache: boolean;
  /** A link is only hovered: nothing may change yet. */
  preload: boolean;
};

/** Guard of the whole dashboard: somebody is signed in, belongs to a tenant, and the session says so. */
export async function enterDashboard({ context, href, tenant, forceCache, preload }: Entry): Promise<void> {
  if (!(await context.identity.isSignedIn())) throw redirect({ to: '/login', search: { redirect: href } });
  await Promise.all([context.startPersistedCache(), screenTexts()]);
  const { queryClient } = context;
  const query = currentUserQuery(context.api);
  // As fresh as just read, so that no screen asks for it either; a cache that has nothing stays as it is.
  if (forceCache) queryClient.setQueryData(query.queryKey, (known) => known);
  let me = await queryClient.ensureQueryData({ ...query, revalidateIfStale: true }).catch(withoutAccount(href));
  if (!me.user.mfa_enabled && !me.user.social) {
    throw redirect({ to: '/onboarding/setup-totp', search: { redirect: href } });
  }
  const isStranger = () => tenant !== undefined && sessionIn(me, tenant) === undefined;
  // What is known of the user may be older than the membership.
  if (isStranger() && !preload) {
    me = await queryClient.fetchQuery({ ...query, staleTime: 0 }).catch(withoutAccount(href));
  }
  // The server would refuse every call in such a tenant; nothing is shown instead of another tenant's data.
  if (isStranger()) throw redirect({ to: '/unauthorized', hash: NOT_A_MEMBER });
  const stored = context.session.get();
  const session = presentSession(me, [tenant, stored?.currentTenant]);
  if (session === undefined) throw redirect({ to: '/account-not-found', search: { redirect: href } });
  if (preload || isSameSession(stored, session)) return;
  if (stored !== undefined && stored.currentTenant !== session.currentTenant) {
    await wipeCaches(queryClient, context.storage);
    queryClient.setQueryData(query.queryKey, me);
  }
  context.session.set(session);
}

function withoutAccount(href: string): (error: unknown) => never {
  return (error) => {
    if (isAccountMissing(error)) throw redirect({ to: '/account-not-found', search: { redirect: href } });
    throw error;
  };
}
