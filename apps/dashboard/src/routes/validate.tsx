import { createFileRoute } from '@tanstack/react-router';
import { EntryWait } from '../components/entry/entry-wait.tsx';
import { goOnAfterSignIn } from '../features/auth/validate-visit.ts';
import { t } from '../language/translate.ts';
import { checkedSearch, flagParam, redirectSearch } from '../lib/search-params.ts';

export const Route = createFileRoute('/validate')({
  validateSearch: (search) =>
    checkedSearch({
      redirect: redirectSearch(search).redirect,
      oauth_callback: flagParam(search, 'oauth_callback'),
      signup_flow: flagParam(search, 'signup_flow'),
    }),
  loaderDeps: ({ search }) => search,
  // A visit answers a sign-in and is never answered from an earlier one.
  gcTime: 0,
  loader: ({ context, deps, abortController, preload }) =>
    preload ? undefined : goOnAfterSignIn({ context, search: deps, signal: abortController.signal }),
  pendingComponent: () => <EntryWait section={t('Signing in')} text={t('Loading your account…')} />,
});
