import { createFileRoute } from '@tanstack/react-router';
import { AccountNotFoundPage } from '../features/auth/account-not-found-page.tsx';
import { enterAccountNotFound } from '../features/auth/account-not-found-visit.ts';
import { redirectSearch } from '../lib/search-params.ts';

export const Route = createFileRoute('/account-not-found')({
  validateSearch: redirectSearch,
  loader: ({ context, location }) => enterAccountNotFound(context, redirectSearch(location.search).redirect),
  component: AccountNotFoundPage,
});
