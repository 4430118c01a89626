import { createFileRoute, getRouteApi, redirect } from '@tanstack/react-router';
import { LoginPage } from '../features/auth/login-page.tsx';
import { redirectSearch } from '../lib/search-params.ts';

export const Route = createFileRoute('/login')({
  validateSearch: redirectSearch,
  beforeLoad: async ({ context, search }) => {
    // Another tab may have signed in since this page last asked.
    context.identity.forget();
    // A provider that cannot be asked is no reason to hide the form; submitting it will say what is wrong.
    if (await context.identity.isSignedIn().catch(() => false)) throw redirect({ to: '/validate', search });
  },
  component: Login,
});

// Not `Route` itself: naming it here would tie this screen's chunk to the first one.
const route = getRouteApi('/login');

function Login() {
  return <LoginPage redirect={route.useSearch().redirect} />;
}
