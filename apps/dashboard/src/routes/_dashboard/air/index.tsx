import { createFileRoute, redirect } from '@tanstack/react-router';

// The overview joins with its own issue; until then the area opens with its cases.
export const Route = createFileRoute('/_dashboard/air/')({
  beforeLoad: () => {
    throw redirect({ to: '/air/case-management' });
  },
});
