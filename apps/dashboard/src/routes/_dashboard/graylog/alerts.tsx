import { createFileRoute } from '@tanstack/react-router';
import { AlertsPage } from '../../../features/graylog/alerts-page.tsx';

export const Route = createFileRoute('/_dashboard/graylog/alerts')({ component: AlertsPage });
