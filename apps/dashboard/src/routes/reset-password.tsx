import { createFileRoute } from '@tanstack/react-router';
import { takeFromAddress } from '../features/auth/recovery-address.ts';
import { ResetPasswordPage } from '../features/auth/reset-password-page.tsx';
import { redirectSearch } from '../lib/search-params.ts';

export const Route = createFileRoute('/reset-password')({
  validateSearch: redirectSearch,
  loader: (visit) => takeFromAddress(visit, '/reset-password'),
  component: ResetPasswordPage,
});
