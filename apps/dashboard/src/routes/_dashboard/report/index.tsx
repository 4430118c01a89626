import { createFileRoute, redirect } from '@tanstack/react-router';
import { sessionOf } from '../../../session/session-store.ts';

/** A bare `/report` leads to the search reports where the plan has them, otherwise home (spec §2). */
export const Route = createFileRoute('/_dashboard/report/')({
  beforeLoad: ({ context }) => {
    const { currentSKU } = sessionOf(context.session.get());
    throw redirect({ to: currentSKU.is_search_enabled ? '/report/air' : '/home' });
  },
});
