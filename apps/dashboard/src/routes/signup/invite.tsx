import { createFileRoute } from '@tanstack/react-router';
import { InvitePage } from '../../features/signup/invite-page.tsx';

export const Route = createFileRoute('/signup/invite')({ component: InvitePage });
