import { safeRedirect } from '@airdeck/domain/safe-redirect';
import { createFileRoute, redirect } from '@tanstack/react-router';
import { loadValidatedUser } from '../features/auth/validate-user.ts';
import { Validating } from '../features/auth/validating.tsx';
import { defined, flagParam, textParam } from '../lib/search-params.ts';

export const Route = createFileRoute('/validate')({
  validateSearch: (search) =>
    defined({
      redirect: textParam(search, 'redirect', 2000),
      oauth_callback: flagParam(search, 'oauth_callback'),
      signup_flow: flagParam(search, 'signup_flow'),
    }),
  beforeLoad: async ({ context, search }) => {
    if (!(await context.identity.isSignedIn())) {
      throw redirect({ to: '/login', search: defined({ redirect: search.redirect }) });
    }
  },
  loaderDeps: ({ search }) => ({ redirect: search.redirect }),
  loader: async ({ context, deps, abortController }) => {
    const me = await loadValidatedUser(context, abortController.signal);
    if (me === undefined) throw redirect({ to: '/account-not-found' });
    throw redirect({ href: safeRedirect(deps.redirect) });
  },
  pendingComponent: Validating,
});
