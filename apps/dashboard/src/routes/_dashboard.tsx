import { createFileRoute } from '@tanstack/react-router';
import { defined, flagParam, textParam } from '../lib/search-params.ts';
import { enterDashboard } from '../session/enter-dashboard.ts';
import { AppFrame } from '../shell/app-frame.tsx';

export const Route = createFileRoute('/_dashboard')({
  validateSearch: (search) =>
    defined({ forceCache: flagParam(search, 'forceCache'), tenant: textParam(search, 'tenant', 36) }),
  beforeLoad: ({ context, search, location }) =>
    enterDashboard({
      context,
      href: location.href,
      tenant: search.tenant,
      forceCache: search.forceCache === true,
    }),
  component: AppFrame,
});
