import type { ApiClientDeps } from '@airdeck/api-client/client';
import type { DashboardConfig } from '@airdeck/contracts/system/schema';
import { screenTexts } from './language/page-language.ts';
import { told } from './language/translate.ts';
import { createBrowserStorage } from './lib/browser-storage.ts';
import { whenIdle } from './lib/idle.ts';
import { createQueryClient } from './lib/query-client.ts';
import { noteFailure, noteNavigation, telemetryQueue } from './lib/telemetry-queue.ts';
import { showError } from './lib/toasts.ts';
import { traceHeaders } from './lib/trace.ts';
import { type AppRouter, createAppRouter } from './router.ts';
import { apiToken } from './session/api-token.ts';
import type { AppContext } from './session/app-context.ts';
import { currentUserQuery } from './session/current-user.ts';
import { followOtherTabs, keepWindowInUse } from './session/follow-other-tabs.ts';
import { handOver } from './session/handover.ts';
import type { IdentityProvider } from './session/identity-provider.ts';
import { createLaterApiClient } from './session/later-api-client.ts';
import { createSessionStore } from './session/session-store.ts';
import { forgetUser } from './session/sign-out.ts';

export type Application = { app: AppContext; router: AppRouter };

/** Makes everything the dashboard is built from and wires it together; the only place that does. */
export function startApplication(config: DashboardConfig, identity: IdentityProvider): Application {
  const storage = createBrowserStorage(() => window.localStorage);
  const queryClient = createQueryClient({
    onMutationError: showError,
  });
  let leaving = false;
  const leave = () => {
    // Many calls fail together when a session ends; one way out is enough.
    if (leaving) return;
    leaving = true;
    identity.forget();
    const redirect = router.state.location.href;
    void forgetUser(app)
      .then(() => {
        handOver(queryClient, { sessionOver: true });
        return router.navigate({ to: '/login', search: { redirect } });
      })
      .finally(() => {
        leaving = false;
      });
  };
  const clientDeps: ApiClientDeps = {
    baseUrl: config.api_base_url,
    getToken: apiToken(identity),
    fetch: window.fetch.bind(window),
    newId: () => crypto.randomUUID(),
    traceHeaders,
    missesEmpty: true,
    onUnauthorized: leave,
    tell: told,
  };
  // With the table of all routes it is as large as the sign-in form, which calls none. It loads beside the first screen.
  const api = createLaterApiClient(() =>
    import('@airdeck/api-client/client').then(({ createApiClient }) => createApiClient(clientDeps)),
  );
  const session = createSessionStore(
    storage,
    createBrowserStorage(() => window.sessionStorage),
  );
  const persistedCacheCode = () => import('./lib/persisted-cache.ts');
  let persistedCache: Promise<void> | undefined;
  const app: AppContext = {
    config,
    api,
    identity,
    queryClient,
    storage,
    session,
    startPersistedCache: () => {
      persistedCache ??= persistedCacheCode()
        .then(({ createPersistedCache }) =>
          createPersistedCache({ queryClient, storage, release: __RELEASE__, isOurs: session.isKept }).start(),
        )
        .catch((error: unknown) => {
          // Its code did not load: the error page's next try has to ask for it again.
          persistedCache = undefined;
          throw error;
        });
      return persistedCache;
    },
  };
  const router = createAppRouter(app);
  watch(app, router);
  if (session.get() !== undefined) {
    // Whoever was here before is most likely still signed in: what their screen is made of loads while that is asked.
    persistedCacheCode().catch(() => undefined);
    loadAskedScreen(router);
    // A browser's first formatter takes as long as a screen to be made: better now, while answers are on their way.
    whenIdle(() => new Intl.NumberFormat());
  }
  const shownRoutes = () => router.state.matches.map(({ routeId }) => routeId);
  keepWindowInUse({ keep: session.keep, shownRoutes });
  followOtherTabs({
    identity,
    shownRoutes,
    leave,
    reload: () => window.location.reload(),
  });
  return { app, router };
}

/** Its files only. Texts come first: a screen asks for its words as soon as it is there. What fails is loaded when it is due. */
function loadAskedScreen(router: AppRouter): void {
  const load = () => {
    const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
    return Promise.all(routes.map((route) => router.loadRouteChunk(route)));
  };
  screenTexts()
    .then(load)
    .catch(() => undefined);
}

/** Page views and failures; what tells them on loads once the first screen is there and the browser has time. */
function watch(app: AppContext, router: AppRouter): void {
  noteNavigation(router, telemetryQueue);
  window.addEventListener('error', ({ error, message }) => noteFailure(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => noteFailure(reason));
  const { config, queryClient } = app;
  const person = () => queryClient.getQueryData(currentUserQuery(app.api).queryKey)?.user.id;
  const stop = router.subscribe('onResolved', () => {
    stop();
    whenIdle(() => {
      import('./telemetry/start-telemetry.ts')
        .then(({ startTelemetry }) => startTelemetry({ app, queue: telemetryQueue, config, person }))
        // Not worth a word to anybody: the next page load tries again.
        .catch(() => undefined);
    });
  });
}
