import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_dashboard/air/')({
  beforeLoad: () => {
    throw redirect({ to: '/air/overview' });
  },
});
