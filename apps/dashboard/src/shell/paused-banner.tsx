import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { tenantQueries } from '../queries/tenants.ts';
import { useAccess } from '../session/access.ts';
import { useTenantApi } from '../session/app-context.ts';

// Rarely there, so nobody waits for what it says.
const FencedNote = lazy(() => import('./paused-note.tsx').then((module) => ({ default: module.FencedNote })));
const AutomationOffNote = lazy(() =>
  import('./paused-note.tsx').then((module) => ({ default: module.AutomationOffNote })),
);

/** Says above every screen why nothing happens by itself: after a restore, or because an Admin switched automation off. */
export function PausedBanner() {
  const { data: tenant } = useQuery(tenantQueries.state(useTenantApi()));
  const { allowed } = useAccess('tenantSettings');
  if (tenant === undefined || (!tenant.is_fenced && tenant.automation_enabled)) return null;
  return (
    <Suspense fallback={null}>
      {tenant.is_fenced ? (
        <FencedNote canLift={allowed && tenant.is_provider} />
      ) : (
        <AutomationOffNote canSwitch={allowed} subscription={tenant.subscription} />
      )}
    </Suspense>
  );
}
