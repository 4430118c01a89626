import { createFileRoute } from '@tanstack/react-router';
import { ActionActivityPage } from '../../../../features/activity/action-activity-page.tsx';
import { actionActivitySearch } from '../../../../features/activity/activity-search.ts';

export const Route = createFileRoute('/_dashboard/activity/actions/')({
  validateSearch: actionActivitySearch,
  component: ActionActivityPage,
});
