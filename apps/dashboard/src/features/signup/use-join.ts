import { useNavigate } from '@tanstack/react-router';
import { wipeCaches } from '../../lib/wipe-caches.ts';
import { acceptInvitation } from '../../session/accept-invitation.ts';
import { useApp } from '../../session/app-context.ts';

/** Accepts the invitation for who is signed in now, then goes through `/validate` into the tenant. */
export function useJoin(ticket: string) {
  const app = useApp();
  const navigate = useNavigate();
  return async () => {
    const redirect = await acceptInvitation(app, ticket);
    // Somebody else may have used this browser before.
    await wipeCaches(app.queryClient, app.storage);
    await navigate({ to: '/validate', search: { signup_flow: true, redirect } });
  };
}
