import { createFileRoute } from '@tanstack/react-router';
import { ActionsPage } from '../../../features/actions/actions-page.tsx';
import { actionsSearch } from '../../../features/actions/actions-search.ts';
import { requireAccess } from '../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/actions/')({
  validateSearch: actionsSearch,
  beforeLoad: requireAccess('actions'),
  component: ActionsPage,
});
