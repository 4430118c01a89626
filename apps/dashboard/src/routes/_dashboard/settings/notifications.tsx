import { createFileRoute } from '@tanstack/react-router';
import { NotificationSettingsPage } from '../../../features/settings/notifications/notification-settings-page.tsx';

export const Route = createFileRoute('/_dashboard/settings/notifications')({ component: NotificationSettingsPage });
