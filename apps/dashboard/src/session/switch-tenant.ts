import { wipeCaches } from '../lib/wipe-caches.ts';
import type { AppContext } from './app-context.ts';
import { currentUserQuery } from './current-user.ts';
import { sessionIn } from './tenant-session.ts';

/** How long the loading overlay stays (spec §4). */
export const SWITCH_OVERLAY_MS = 1000;

/**
 * Spec §4, switching tenant: session of the new tenant with role and plan from the user, and nothing cached of the
 * previous one. Answers false without membership, and changes nothing then.
 */
export async function switchTenant(context: AppContext, tenantId: string): Promise<boolean> {
  const query = currentUserQuery(context.api);
  let me = await context.queryClient.ensureQueryData(query);
  let next = sessionIn(me, tenantId);
  if (next === undefined) {
    // What is known of the user may be older than the membership.
    me = await context.queryClient.fetchQuery({ ...query, staleTime: 0 });
    next = sessionIn(me, tenantId);
  }
  if (next === undefined) return false;
  await wipeCaches(context.queryClient, context.storage);
  // The user is the same in every tenant; asking again would only make the switch slower.
  context.queryClient.setQueryData(query.queryKey, me);
  context.session.set(next);
  return true;
}
