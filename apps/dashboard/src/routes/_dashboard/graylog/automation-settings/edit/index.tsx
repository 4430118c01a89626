import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_dashboard/graylog/automation-settings/edit/')({
  beforeLoad: () => {
    throw redirect({ to: '/graylog/automation-settings' });
  },
});
