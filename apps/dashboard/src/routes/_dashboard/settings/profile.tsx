import { createFileRoute } from '@tanstack/react-router';
import { ProfilePage } from '../../../features/settings/profile/profile-page.tsx';

export const Route = createFileRoute('/_dashboard/settings/profile')({ component: ProfilePage });
