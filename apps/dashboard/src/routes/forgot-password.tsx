import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordPage } from '../features/auth/forgot-password-page.tsx';
import { redirectSearch } from '../lib/search-params.ts';

export const Route = createFileRoute('/forgot-password')({
  validateSearch: redirectSearch,
  component: ForgotPasswordPage,
});
