import { createFileRoute } from '@tanstack/react-router';
import { TermDatesPage } from '../../../features/settings/term-dates/term-dates-page.tsx';
import { requireAccess } from '../../../session/access.ts';

export const Route = createFileRoute('/_dashboard/settings/term-dates')({
  beforeLoad: requireAccess('termDates'),
  component: TermDatesPage,
});
