import { createApiClient } from '@airdeck/api-client/client';
import type { CurrentUser } from '@airdeck/contracts/me/schema';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import { createQueryClient } from './lib/query-client.ts';
import { createAppRouter } from './router.ts';
import { type AppContext, AppContextProvider } from './session/app-context.ts';
import { memoryStorage, userWith } from './session/fixtures.ts';
import { type IdentityAccount, IdentityError, type IdentityProvider } from './session/identity-provider.ts';
import { createSessionStore } from './session/session-store.ts';

export type Given = {
  signedIn?: boolean;
  /** What `/me` says; a function is asked each time. */
  me?: CurrentUser | (() => Response);
  identity?: Partial<IdentityProvider>;
  account?: Partial<IdentityAccount>;
  /** Other answers of the API by `METHOD /path`; everything else is 404. */
  answers?: Readonly<
    Record<string, (request: { url: URL; body: unknown; headers: Headers }) => Response | Promise<Response>>
  >;
  stage?: AppContext['config']['target_stage'];
  /** The demo's data and sandbox; off unless said. */
  mockData?: boolean;
  storage?: ReturnType<typeof memoryStorage>;
  /** What failed is asked again without the wait of spec §9. */
  retriesAtOnce?: boolean;
};

/** The real router and screens at an address, on an identity provider and an API of the test. */
export function showApp(address: string, given: Given = {}) {
  const opened = openApp(address, given);
  const { app, router } = opened;
  const view = render(
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={app.queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>,
  );
  return { ...opened, leave: () => view.unmount() };
}

/** The same without drawing anything: for where guards and loaders lead. `router.load()` begins the visit. */
export function openApp(address: string, given: Given = {}) {
  const { me = userWith(), storage = memoryStorage(), answers = {} } = given;
  const state = { signedIn: given.signedIn ?? true, asked: [] as string[] };
  const account = accountOf(given.account ?? {});
  const identity: IdentityProvider = {
    isSignedIn: async () => state.signedIn,
    getToken: async () => (state.signedIn ? 'token' : undefined),
    sessionEndsAt: () => undefined,
    signInWithPassword: async () => {
      state.signedIn = true;
      return 'signed_in';
    },
    verifyTotp: async () => {
      state.signedIn = true;
    },
    verifyRecoveryCode: async () => {
      state.signedIn = true;
    },
    signOut: async () => {
      state.signedIn = false;
    },
    forget: () => undefined,
    onChangedElsewhere: () => () => undefined,
    account: async () => account,
    ...given.identity,
  };
  const queryClient = createQueryClient({ onMutationError: () => undefined });
  if (given.retriesAtOnce === true) {
    const { queries, ...others } = queryClient.getDefaultOptions();
    queryClient.setDefaultOptions({ ...others, queries: { ...queries, retryDelay: 0 } });
  }
  const api = createApiClient({
    baseUrl: 'https://air.test',
    getToken: identity.getToken,
    fetch: async (address_, init) => {
      const url = new URL(String(address_));
      const id = `${init?.method ?? 'GET'} ${url.pathname}`;
      state.asked.push(id);
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      const answer = Object.hasOwn(answers, id) ? answers[id] : undefined;
      if (answer !== undefined) return answer({ url, body, headers: new Headers(init?.headers) });
      if (id === 'GET /me') return typeof me === 'function' ? me() : Response.json(me);
      return failure(404, 'NOT_FOUND');
    },
    onUnauthorized: () => undefined,
    missesEmpty: true,
    newId: () => 'id',
  });
  const app: AppContext = {
    config: {
      api_base_url: '/',
      error_reporting_dsn: '',
      analytics_key: 'k',
      analytics_host: 'h',
      identity_publishable_key: 'local',
      target_stage: given.stage ?? 'prod',
      mock_data: given.mockData ?? false,
      product_name: 'AIRdeck',
      product_short_name: 'AIR',
      release: '1.14.2',
    },
    api,
    identity,
    queryClient,
    session: createSessionStore(storage, memoryStorage()),
    storage,
    startPersistedCache: async () => undefined,
  };
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(app, history);
  return { app, storage, router, state, at: () => router.state.location.href };
}

/** Where guards and loaders lead from an address, and every address on the way. */
export async function visit(address: string, given: Given = {}) {
  const { router, at, ...opened } = openApp(address, given);
  const seen: string[] = [];
  // Without anything drawn, nobody else loads what a redirect leads to.
  router.history.subscribe(({ location }) => {
    seen.push(location.href);
    void router.load();
  });
  await router.load();
  await vi.waitFor(() => {
    if (router.state.isLoading) throw new Error(`Still loading ${at()}`);
  }, 20_000);
  return { ...opened, at: at(), seen: seen.join(' ') };
}

export function failure(status: number, code: string, message = 'No.'): Response {
  return Response.json({ message, code, request_id: 'req-9' }, { status });
}

function accountOf(given: Partial<IdentityAccount>): IdentityAccount {
  return new Proxy(given as IdentityAccount, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      // A promise asks every object for its `then`.
      (name === 'then' ? undefined : () => Promise.reject(new IdentityError('NOT_SUPPORTED'))),
  });
}
