import { createFileRoute, redirect } from '@tanstack/react-router';
import { redirectSearch } from '../lib/search-params.ts';
import { signOut } from '../session/sign-out.ts';

export const Route = createFileRoute('/logout')({
  validateSearch: redirectSearch,
  beforeLoad: async ({ context, search, preload }) => {
    // Hovering a link must not sign anybody out.
    if (preload) return;
    // This browser has forgotten everything by then; a provider out of reach must not keep the user here.
    await signOut(context).catch(() => undefined);
    throw redirect({ to: '/login', search });
  },
});
