import type { StreamState } from '@airdeck/api-client/event-stream';
import type { StreamMessage } from '@airdeck/contracts/system/routes';
import { type InvalidateQueryFilters, type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createInvalidationQueue } from './invalidation-queue.ts';
import { type ResourceName, resourceKey } from './query-keys.ts';
import { polling } from './query-policy.ts';
import type { TenantApi } from './tenant-api.ts';

/**
 * `connected`: screens refresh by themselves; `stale`: reconnecting; `refused`: not any more; `offline`: the browser has no
 * network.
 */
export type LiveStatus = 'connected' | 'connecting' | 'stale' | 'refused' | 'offline';
export type LiveState = { readonly status: LiveStatus; readonly since: Date };

/** What a change of each kind makes stale. */
export const resourcesByChange: Readonly<Record<StreamMessage['kind'], readonly ResourceName[]>> = {
  case: ['cases', 'dashboards'],
  run: ['playbook-runs', 'action-runs', 'prompts', 'cases', 'rule-responses', 'automation-rules'],
  // One tells that an executive report is ready, or could not be made; schedules may have made others by then.
  notification: ['notifications', 'executive-reports', 'search-reports'],
  connector: ['connectors'],
  onboarding: ['onboarding'],
};

const everyResource = [...new Set(Object.values(resourcesByChange).flat())];
const GAP_MS = 1000;
/** A run says a dozen times that it went on; the playbooks its figures stand beside are much to read. */
const FIGURES_GAP_MS = 10_000;

/** Refreshes what is open when the server says it changed (design: live), and tells how the connection stands. */
export function useLiveUpdates({ api, tenantId }: TenantApi): LiveState {
  const queryClient = useQueryClient();
  const [stream, setStream] = useState<{ state: StreamState; since: Date }>(() => ({
    state: 'connecting',
    since: new Date(),
  }));
  const online = useOnline();

  useEffect(() => {
    const after = (milliseconds: number, callback: () => void) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    };
    const refresh = createRefresh(queryClient);
    const queue = createInvalidationQueue<ResourceName>({
      gapMs: GAP_MS,
      after,
      invalidate: (resources) => {
        for (const resource of resources) {
          void refresh({ queryKey: resourceKey(tenantId, resource) });
        }
      },
    });
    const figures = createInvalidationQueue<'playbooks'>({
      gapMs: FIGURES_GAP_MS,
      after,
      invalidate: () => void refreshShownFigures(queryClient, tenantId),
    });
    let wasLost = false;
    const close = api.subscribe(
      'stream.subscribe',
      { params: { tenant: tenantId } },
      {
        onMessage: (data) => {
          const changed = changedResources(data);
          queue.add(changed);
          if (changed.includes('playbook-runs')) figures.add(['playbooks']);
        },
        onState: (state) => {
          // Changes during the gap were not announced to us, so everything live is looked at again.
          if (state === 'open' && wasLost) queue.add(everyResource);
          if (state !== 'connecting') wasLost = state === 'lost';
          setStream((before) => (keepsMeaning(before.state, state) ? before : { state, since: new Date() }));
        },
      },
    );
    return () => {
      close();
      queue.stop();
      figures.stop();
    };
  }, [api, tenantId, queryClient]);

  if (!online.value) return { status: 'offline', since: online.since };
  const status = { open: 'connected', connecting: 'connecting', lost: 'stale', refused: 'refused' } as const;
  return { status: status[stream.state], since: stream.since };
}

/**
 * Invalidates without giving up what is being read: under steady events a list slower than the gap would never come. It may
 * have been read before the change, so it is read once more when it is there.
 */
export function createRefresh(queryClient: QueryClient) {
  const again = new Set<Query>();
  return function refresh(filters: InvalidateQueryFilters): Promise<void> {
    for (const query of queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      if (again.has(query)) continue;
      again.add(query);
      const ask = () => {
        again.delete(query);
        void refresh({ queryKey: query.queryKey, exact: true });
      };
      query.promise?.then(ask, ask);
    }
    return queryClient.invalidateQueries(filters, { cancelRefetch: false });
  };
}

/** Resources a message makes stale; none for kinds this release does not know. */
export function changedResources(data: unknown): readonly ResourceName[] {
  if (typeof data !== 'object' || data === null || !('kind' in data) || typeof data.kind !== 'string') return [];
  return Object.hasOwn(resourcesByChange, data.kind) ? resourcesByChange[data.kind as StreamMessage['kind']] : [];
}

/**
 * Reads playbooks again where the figures of their runs show, which is where they are polled: not the draft somebody is
 * working on, nor what else a run changes nothing in.
 */
export function refreshShownFigures(queryClient: QueryClient, tenantId: string): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: resourceKey(tenantId, 'playbooks'),
    predicate: ({ observers }) =>
      observers.some(({ options }) => options.refetchInterval === polling.playbookFiguresMs),
  });
}

/** Between two attempts a lost connection stays lost, so that "since" counts from when it broke. */
function keepsMeaning(before: StreamState, next: StreamState): boolean {
  return before === next || (before === 'lost' && next === 'connecting');
}

function useOnline(): { value: boolean; since: Date } {
  const [online, setOnline] = useState(() => ({ value: navigator.onLine, since: new Date() }));
  useEffect(() => {
    const note = () => setOnline({ value: navigator.onLine, since: new Date() });
    window.addEventListener('online', note);
    window.addEventListener('offline', note);
    return () => {
      window.removeEventListener('online', note);
      window.removeEventListener('offline', note);
    };
  }, []);
  return online;
}
