import { createFileRoute } from '@tanstack/react-router';
import { checkedSearch, flagParam, textParam } from '../lib/search-params.ts';
import { enterDashboard } from '../session/enter-dashboard.ts';
import { AppFrame } from '../shell/app-frame.tsx';

export const Route = createFileRoute('/_dashboard')({
  validateSearch: (search) =>
    checkedSearch({ forceCache: flagParam(search, 'forceCache'), tenant: textParam(search, 'tenant', 36) }),
  beforeLoad: ({ context, search, location, preload }) =>
    enterDashboard({
      context,
      href: location.href,
      tenant: search.tenant,
      forceCache: search.forceCache === true,
      preload,
    }),
  component: AppFrame,
});
