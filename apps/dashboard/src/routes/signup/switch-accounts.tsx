import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { SwitchAccountsPage } from '../../features/signup/switch-accounts-page.tsx';
import { whoIsSignedIn } from '../../features/signup/who-is-signed-in.ts';
import { checkedSearch, textParam } from '../../lib/search-params.ts';

export const Route = createFileRoute('/signup/switch-accounts')({
  validateSearch: (search) =>
    checkedSearch({
      attempt_pathname: textParam(search, 'attempt_pathname'),
      // Only until the layout has taken out what is in it.
      attempt_search: textParam(search, 'attempt_search', 5000),
    }),
  gcTime: 0,
  loader: ({ context }) => whoIsSignedIn(context),
  component: Screen,
});

const route = getRouteApi('/signup/switch-accounts');

function Screen() {
  return <SwitchAccountsPage attempt={route.useSearch().attempt_pathname ?? ''} who={route.useLoaderData()} />;
}
