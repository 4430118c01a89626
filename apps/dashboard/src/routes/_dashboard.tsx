import { createFileRoute } from '@tanstack/react-router';
import { defined, flagParam, textParam } from '../lib/search-params.ts';
import { onboardingQueries } from '../queries/onboarding.ts';
import { refusalFor } from '../session/access.ts';
import { tenantApiOf } from '../session/app-context.ts';
import { enterDashboard } from '../session/enter-dashboard.ts';
import { sessionOf } from '../session/session-store.ts';
import { AppFrame } from '../shell/app-frame.tsx';

export const Route = createFileRoute('/_dashboard')({
  validateSearch: (search) =>
    defined({ forceCache: flagParam(search, 'forceCache'), tenant: textParam(search, 'tenant', 36) }),
  beforeLoad: ({ context, search, location, preload }) =>
    enterDashboard({
      context,
      href: location.href,
      tenant: search.tenant,
      forceCache: search.forceCache === true,
      preload,
    }),
  // Nobody waits for it: a screen that needs it takes what is there, or asks itself.
  loader: ({ context }) => {
    const { session, queryClient } = context;
    if (refusalFor('onboarding', sessionOf(session.get())) !== undefined) return;
    void queryClient.prefetchQuery(onboardingQueries.list(tenantApiOf(context)));
  },
  component: AppFrame,
});
