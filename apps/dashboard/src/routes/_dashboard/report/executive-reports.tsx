import { createFileRoute, redirect } from '@tanstack/react-router';

/** The executive reports as a report among the others (spec §2). */
export const Route = createFileRoute('/_dashboard/report/executive-reports')({
  beforeLoad: () => {
    throw redirect({ to: '/mdr/executive-reports' });
  },
});
