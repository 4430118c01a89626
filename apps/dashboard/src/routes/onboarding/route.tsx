import { createFileRoute } from '@tanstack/react-router';
import { redirectSearch } from '../../lib/search-params.ts';

export const Route = createFileRoute('/onboarding')({
  validateSearch: redirectSearch,
  // Loaded when entered: the sign-in page must not grow with what only a first sign-in needs.
  beforeLoad: async ({ context, search, location, preload }) => {
    const { enterOnboarding } = await import('../../features/onboarding/enter-onboarding.ts');
    if (!preload) await enterOnboarding({ context, redirectTo: search.redirect, path: location.pathname });
  },
});
