import { createFileRoute, redirect } from '@tanstack/react-router';
import { AccountNotFoundPage } from '../features/auth/account-not-found-page.tsx';
import { currentUserQuery } from '../session/current-user.ts';
import { presentSession } from '../session/tenant-session.ts';

export const Route = createFileRoute('/account-not-found')({
  beforeLoad: async ({ context }) => {
    if (!(await context.identity.isSignedIn())) throw redirect({ to: '/login' });
    const me = await context.queryClient.ensureQueryData(currentUserQuery(context.api));
    if (me.user.external_id !== null && presentSession(me, []) !== undefined) throw redirect({ to: '/home' });
  },
  component: AccountNotFoundPage,
});
