import { createFileRoute } from '@tanstack/react-router';
import { playbookActivitySearch } from '../../../../features/activity/activity-search.ts';
import { PlaybookActivityPage } from '../../../../features/activity/playbook-activity-page.tsx';

export const Route = createFileRoute('/_dashboard/activity/playbooks/')({
  validateSearch: playbookActivitySearch,
  component: PlaybookActivityPage,
});
