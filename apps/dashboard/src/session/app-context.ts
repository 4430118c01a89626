import type { ApiClient } from '@airdeck/api-client/client';
import type { DashboardConfig } from '@airdeck/contracts/system/schema';
import type { QueryClient } from '@tanstack/react-query';
import { createContext, use, useSyncExternalStore } from 'react';
import type { BrowserStorage } from '../lib/browser-storage.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { type Session, type SessionStore, sessionOf } from './session-store.ts';

/** Everything made once at start. Guards and loaders get it as router context, components through `useApp`. */
export type AppContext = {
  readonly config: DashboardConfig;
  readonly api: ApiClient;
  readonly identity: IdentityProvider;
  readonly queryClient: QueryClient;
  readonly session: SessionStore;
  readonly storage: BrowserStorage;
  /** Reads what an earlier page load kept; only once somebody is known to be signed in. */
  readonly startPersistedCache: () => Promise<void>;
};

const Context = createContext<AppContext | undefined>(undefined);

export const AppContextProvider = Context;

export function useApp(): AppContext {
  const app = use(Context);
  if (app === undefined) throw new Error('useApp outside of the application');
  return app;
}

/**
 * The session of the signed-in user.
 *
 * @throws Error outside the dashboard group, where there may be none
 */
export function useSession(): Session {
  const { session } = useApp();
  return sessionOf(useSyncExternalStore(session.subscribe, session.lastKnown));
}

/** What tenant-scoped queries are made with, for the current tenant. */
export function useTenantApi(): TenantApi {
  const { api } = useApp();
  return { api, tenantId: useSession().currentTenant };
}

/** The same for guards and loaders. */
export function tenantApiOf(app: Pick<AppContext, 'api' | 'session'>): TenantApi {
  return { api: app.api, tenantId: sessionOf(app.session.get()).currentTenant };
}
