import { createFileRoute } from '@tanstack/react-router';
import { NewPasswordRequiredPage } from '../features/auth/new-password-required-page.tsx';

export const Route = createFileRoute('/new-password-required')({ component: NewPasswordRequiredPage });
