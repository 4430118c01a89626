import { createFileRoute, redirect } from '@tanstack/react-router';

// Where the other provider returns to is one place: `/validate` completes the redirect and leads on to the confirm step.
export const Route = createFileRoute('/signup/azure/callback/')({
  beforeLoad: () => {
    throw redirect({ to: '/validate', search: { oauth_callback: true } });
  },
});
