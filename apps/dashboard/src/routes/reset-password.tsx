import { createFileRoute } from '@tanstack/react-router';
import { takeFromAddress } from '../features/auth/recovery-address.ts';
import { ResetPasswordPage } from '../features/auth/reset-password-page.tsx';

export const Route = createFileRoute('/reset-password')({
  loader: (visit) => takeFromAddress(visit, '/reset-password'),
  component: ResetPasswordPage,
});
