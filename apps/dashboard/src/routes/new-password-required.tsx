import { createFileRoute } from '@tanstack/react-router';
import { NewPasswordRequiredPage } from '../features/auth/new-password-required-page.tsx';
import { redirectSearch } from '../lib/search-params.ts';

export const Route = createFileRoute('/new-password-required')({
  validateSearch: redirectSearch,
  component: NewPasswordRequiredPage,
});
