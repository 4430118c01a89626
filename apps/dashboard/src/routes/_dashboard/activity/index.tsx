import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_dashboard/activity/')({
  beforeLoad: () => {
    throw redirect({ to: '/activity/actions' });
  },
});
