import { createFileRoute } from '@tanstack/react-router';
import { PlaybooksPage } from '../../../features/playbooks/list/playbooks-page.tsx';
import { playbooksSearch } from '../../../features/playbooks/list/playbooks-search.ts';
import { requireAccess } from '../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/playbooks/')({
  validateSearch: playbooksSearch,
  beforeLoad: requireAccess('playbooks'),
  component: PlaybooksPage,
});
