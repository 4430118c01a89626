import { createFileRoute } from '@tanstack/react-router';
import { NotEnabledPage } from '../../shell/unauthorized-page.tsx';

export const Route = createFileRoute('/_dashboard/not-enabled')({ component: NotEnabledPage });
