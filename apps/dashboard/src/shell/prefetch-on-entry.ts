import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { WhenIdle } from '../lib/idle.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { actionQueries } from '../queries/actions.ts';
import { actionRunQueries, runQueries } from '../queries/activity.ts';
import { onboardingQueries } from '../queries/onboarding.ts';
import { playbookQueries } from '../queries/playbooks.ts';
import { type Area, refusalFor } from '../session/access.ts';
import type { Session } from '../session/session-store.ts';

type Prefetch = {
  area: Area;
  key: (of: TenantApi) => QueryKey;
  load: (client: QueryClient, of: TenantApi) => Promise<void>;
};

const firstRuns = (of: TenantApi) => runQueries.list(of, {}, 0);
const firstActions = (of: TenantApi) => actionRunQueries.list(of, {});

/** What the next screens show first, as those ask for it without a search or filter (spec §6, prefetching on entry). */
const prefetches: readonly Prefetch[] = [
  {
    area: 'actions',
    key: (of) => actionQueries.list(of).queryKey,
    load: (client, of) => client.prefetchQuery(actionQueries.list(of)),
  },
  {
    area: 'playbooks',
    key: (of) => playbookQueries.list(of).queryKey,
    load: (client, of) => client.prefetchQuery(playbookQueries.list(of)),
  },
  {
    area: 'playbooks',
    key: (of) => firstRuns(of).queryKey,
    load: (client, of) => client.prefetchQuery(firstRuns(of)),
  },
  {
    area: 'actions',
    key: (of) => firstActions(of).queryKey,
    load: (client, of) => client.prefetchInfiniteQuery(firstActions(of)),
  },
  {
    area: 'onboarding',
    key: (of) => onboardingQueries.list(of).queryKey,
    load: (client, of) => client.prefetchQuery(onboardingQueries.list(of)),
  },
];

type Deps = { queryClient: QueryClient; tenantApi: TenantApi; session: Session; whenIdle: WhenIdle };

/**
 * Loads what the role may see, one after another and each only while the browser is idle: the screen that was asked for
 * comes first. Called off, nothing more is asked for, and what is on its way is let go unless a screen waits for it.
 */
export function prefetchOnEntry({ queryClient, tenantApi, session, whenIdle }: Deps): () => void {
  const due = prefetches.filter(({ area }) => refusalFor(area, session) === undefined);
  let callOff: (() => void) | undefined;
  const next = () => {
    const prefetch = due.shift();
    if (prefetch === undefined) return;
    callOff = whenIdle(() => {
      const { key, load } = prefetch;
      callOff = () =>
        void queryClient.cancelQueries({
          queryKey: key(tenantApi),
          exact: true,
          predicate: (query) => query.getObserversCount() === 0,
        });
      // A failure is the business of the screen that asks again.
      void load(queryClient, tenantApi).then(next);
    });
  };
  next();
  return () => {
    due.length = 0;
    callOff?.();
  };
}
