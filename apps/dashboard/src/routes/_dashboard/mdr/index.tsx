import { createFileRoute, redirect } from '@tanstack/react-router';
import { requireAccess } from '../../../session/access.ts';

/** Spec §2: to the executive reports where the plan has managed detection, otherwise to the not-enabled page. */
export const Route = createFileRoute('/_dashboard/mdr/')({
  beforeLoad: (route) => {
    requireAccess('managedDetection')(route);
    throw redirect({ to: '/mdr/executive-reports' });
  },
});
