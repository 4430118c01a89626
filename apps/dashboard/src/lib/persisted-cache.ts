/**
 * Keeps answers that may be kept across page loads (spec §9): key `local`, one day, written at most every 30 s, thrown
 * away by another release. Only queries whose policy says so are written; never pending or failed ones. Everything is
 * wiped at sign-out and tenant switch, so that the next person or tenant finds nothing; a tab that is still in the previous
 * tenant stops writing then, until somebody works in it again.
 */
import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import type { Query, QueryClient } from '@tanstack/react-query';
import {
  type Persister,
  persistQueryClientRestore,
  persistQueryClientSubscribe,
} from '@tanstack/react-query-persist-client';
import type { BrowserStorage } from './browser-storage.ts';
import { PERSISTED_KEY } from './wipe-caches.ts';

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
const THROTTLE_MS = 30_000;

export type PersistedCache = {
  /** Reads what an earlier page load kept, then keeps up with the cache. Does nothing the second time. */
  start(): Promise<void>;
};

type Deps = {
  queryClient: QueryClient;
  storage: BrowserStorage;
  release: string;
  /** False while what is kept belongs to another tab's tenant or user. */
  isOurs: () => boolean;
};

export function createPersistedCache({ queryClient, storage, release, isOurs }: Deps): PersistedCache {
  const persister: Persister = createAsyncStoragePersister({
    storage: {
      getItem: (key) => Promise.resolve(isOurs() ? storage.getItem(key) : null),
      setItem: (key, value) => Promise.resolve(isOurs() ? storage.setItem(key, value) : undefined),
      removeItem: (key) => Promise.resolve(storage.removeItem(key)),
    },
    key: PERSISTED_KEY,
    throttleTime: THROTTLE_MS,
  });
  const options = {
    queryClient,
    persister,
    buster: release,
    maxAge: MAX_AGE_MS,
    dehydrateOptions: { shouldDehydrateQuery: mayPersist, shouldDehydrateMutation: () => false },
  };
  let started: Promise<void> | undefined;
  return {
    start() {
      // What cannot be read was removed; whoever tampered with it only loses the head start.
      started ??= persistQueryClientRestore(options)
        .catch(() => undefined)
        .then(() => {
          persistQueryClientSubscribe(options);
        });
      return started;
    },
  };
}

/** Only answers a policy marks as safe to keep, and only good ones. */
export function mayPersist(query: Pick<Query, 'state' | 'meta'>): boolean {
  return query.state.status === 'success' && query.meta?.persist === true;
}
