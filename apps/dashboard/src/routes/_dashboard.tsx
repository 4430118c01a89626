import { createFileRoute } from '@tanstack/react-router';
import { checkedSearch, flagParam, textParam } from '../lib/search-params.ts';
import { enterDashboard } from '../session/enter-dashboard.ts';
import { AppFrame } from '../shell/app-frame.tsx';
import { FramePending } from '../shell/frame-pending.tsx';

export const Route = createFileRoute('/_dashboard')({
  validateSearch: (search) =>
    checkedSearch({
      forceCache: flagParam(search, 'forceCache'),
      // Also what is no id: a tenant nobody is a member of is refused, never replaced by another.
      tenant: textParam(search, 'tenant', 36)?.toLowerCase(),
    }),
  beforeLoad: async ({ context, search, location, preload }) => {
    await enterDashboard({
      context,
      href: location.href,
      tenant: search.tenant,
      forceCache: search.forceCache === true,
      preload,
    });
    // The session is a step ahead of the screen, which stays until the next one has loaded.
    return { shownTenant: context.session.get()?.currentTenant };
  },
  component: AppFrame,
  pendingComponent: FramePending,
});
