import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './lib/search-params.ts';
import { noteFailure } from './lib/telemetry-queue.ts';
import { routeTree } from './routeTree.gen.ts';
import type { AppContext } from './session/app-context.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { ScreenPending } from './shell/screen-pending.tsx';

/** Screens show a pending placeholder only after this (spec §2). */
const PENDING_MS = 300;

/** Without a history it is the browser's. */
export function createAppRouter(context: AppContext, history?: RouterHistory) {
  return createRouter({
    ...(history === undefined ? {} : { history }),
    routeTree,
    context,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // Freshness is the query client's business.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: PENDING_MS,
    defaultPendingComponent: ScreenPending,
    defaultErrorComponent: ErrorPage,
    defaultOnCatch: noteFailure,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
