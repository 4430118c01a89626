import { createFileRoute } from '@tanstack/react-router';
import { ConfirmCodePage } from '../features/auth/confirm-code-page.tsx';
import { takeFromAddress } from '../features/auth/recovery-address.ts';
import { redirectSearch } from '../lib/search-params.ts';

export const Route = createFileRoute('/confirm-code')({
  validateSearch: redirectSearch,
  loader: (visit) => takeFromAddress(visit, '/confirm-code'),
  component: ConfirmCodePage,
});
