import { redirect } from '@tanstack/react-router';
import type { AppContext } from './app-context.ts';
import { currentUserQuery } from './current-user.ts';
import { isSameSession, presentSession } from './tenant-session.ts';

type Entry = {
  context: AppContext;
  /** Address asked for, kept through the sign-in. */
  href: string;
  /** Tenant named in the address (spec §2); ignored without membership. */
  tenant: string | undefined;
  /** Takes what the cache has, however old. */
  forceCache: boolean;
};

/** Guard of the whole dashboard: somebody is signed in, belongs to a tenant, and the session says so. */
export async function enterDashboard({ context, href, tenant, forceCache }: Entry): Promise<void> {
  if (!(await context.identity.isSignedIn())) throw redirect({ to: '/login', search: { redirect: href } });
  await context.startPersistedCache();
  const query = currentUserQuery(context.api);
  const me = await context.queryClient.ensureQueryData({ ...query, revalidateIfStale: !forceCache });
  const stored = context.session.get();
  const session = presentSession(me, [tenant, stored?.currentTenant]);
  if (session === undefined) throw redirect({ to: '/account-not-found' });
  if (!isSameSession(stored, session)) context.session.set(session);
}
