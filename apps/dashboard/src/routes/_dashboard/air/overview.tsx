import { createFileRoute, redirect } from '@tanstack/react-router';

// The overview joins with its own issue; until then its address leads to the cases.
export const Route = createFileRoute('/_dashboard/air/overview')({
  beforeLoad: () => {
    throw redirect({ to: '/air/case-management' });
  },
});
