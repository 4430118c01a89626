import { createFileRoute } from '@tanstack/react-router';
import { AccountNotFoundPage } from '../features/auth/account-not-found-page.tsx';
import { enterAccountNotFound } from '../features/auth/account-not-found-visit.ts';

export const Route = createFileRoute('/account-not-found')({
  loader: ({ context }) => enterAccountNotFound(context),
  component: AccountNotFoundPage,
});
