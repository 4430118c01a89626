import { createFileRoute } from '@tanstack/react-router';
import { checkedSearch, flagParam, textParam } from '../lib/search-params.ts';
import { useIsSignedIn } from '../session/app-context.ts';
import { enterDashboard } from '../session/enter-dashboard.ts';
import { AppFrame } from '../shell/app-frame.tsx';
import { ScreenPending } from '../shell/screen-pending.tsx';

export const Route = createFileRoute('/_dashboard')({
  validateSearch: (search) =>
    checkedSearch({ forceCache: flagParam(search, 'forceCache'), tenant: textParam(search, 'tenant', 36) }),
  beforeLoad: async ({ context, search, location, preload }) => {
    await enterDashboard({
      context,
      href: location.href,
      tenant: search.tenant,
      forceCache: search.forceCache === true,
      preload,
    });
    // The session is a step ahead of the screen, which stays until the next one has loaded.
    return { shownTenant: context.session.get()?.currentTenant };
  },
  component: Dashboard,
});

/** Nothing of it is drawn any more once the session is over: until the next screen has loaded it would ask anew for what was forgotten. */
function Dashboard() {
  return useIsSignedIn() ? <AppFrame /> : <ScreenPending />;
}
