import { createFileRoute, redirect } from '@tanstack/react-router';
import { redirectSearch } from '../lib/search-params.ts';

// The address of the auth group (spec §2); who may enter is judged there.
export const Route = createFileRoute('/setup-totp')({
  validateSearch: redirectSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/onboarding/setup-totp', search });
  },
});
