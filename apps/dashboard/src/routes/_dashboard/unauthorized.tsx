import { createFileRoute } from '@tanstack/react-router';
import { UnauthorizedPage } from '../../shell/unauthorized-page.tsx';

export const Route = createFileRoute('/_dashboard/unauthorized')({ component: UnauthorizedPage });
