import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/')({
  beforeLoad: async ({ context }) => {
    if (await context.identity.isSignedIn()) throw redirect({ to: '/home' });
    throw redirect({ to: '/logout', search: { redirect: '/home' } });
  },
});
