import { createApiClient } from '@airdeck/api-client/client';
import type { CurrentUser } from '@airdeck/contracts/me/schema';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { announcePageViews, PAGE_VIEW_EVENT } from './lib/page-views.ts';
import { createQueryClient } from './lib/query-client.ts';
import { PERSISTED_KEY } from './lib/wipe-caches.ts';
import { createAppRouter } from './router.ts';
import { type AppContext, AppContextProvider } from './session/app-context.ts';
import { memoryStorage, otherTenant, ownTenant, userWith } from './session/fixtures.ts';
import type { IdentityProvider } from './session/identity-provider.ts';
import { createSessionStore, SESSION_KEY } from './session/session-store.ts';
import { switchTenant } from './session/switch-tenant.ts';

afterEach(() => vi.restoreAllMocks());

type Given = { signedIn?: boolean; me?: CurrentUser | (() => Response) };

/** The real router and screens, on an API that answers `/me` and nothing else. */
function setUp(address: string, { signedIn = true, me = userWith() }: Given = {}) {
  const state = { signedIn };
  const identity: IdentityProvider = {
    isSignedIn: async () => state.signedIn,
    getToken: async () => (state.signedIn ? 'token' : undefined),
    signInWithPassword: async () => 'signed_in',
    verifyTotp: async () => undefined,
    signOut: async () => {
      state.signedIn = false;
    },
    forget: () => undefined,
  };
  const storage = memoryStorage();
  const queryClient = createQueryClient({ onMutationError: () => undefined });
  const api = createApiClient({
    baseUrl: 'https://air.test',
    getToken: identity.getToken,
    fetch: async (url) => {
      if (new URL(String(url)).pathname === '/me') return typeof me === 'function' ? me() : Response.json(me);
      return Response.json({ message: 'no', code: 'NOT_FOUND', request_id: 'req-9' }, { status: 404 });
    },
    onUnauthorized: () => undefined,
    newId: () => 'id',
  });
  const app: AppContext = {
    config: {
      api_base_url: '/',
      error_reporting_dsn: '',
      analytics_key: 'k',
      analytics_host: 'h',
      identity_publishable_key: 'local',
      target_stage: 'prod',
      mock_data: false,
      product_name: 'AIRdeck',
      product_short_name: 'AIR',
      release: '1.14.2',
    },
    api,
    identity,
    queryClient,
    session: createSessionStore(storage),
    storage,
    startPersistedCache: async () => undefined,
  };
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(app, history);
  render(
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>,
  );
  return { app, storage, router, at: () => router.state.location.href };
}

/** Inside the dashboard's frame, whatever the screen. */
const inside = () => screen.findByLabelText('Breadcrumbs', undefined, { timeout: 4000 });
const signInForm = () => screen.findByRole('heading', { name: 'Sign in to AIRdeck' });

test('a visitor is sent to sign in, and the address asked for is kept with its search', async () => {
  const { at } = setUp('/unauthorized?tenant=x', { signedIn: false });
  await signInForm();
  expect(at()).toBe(`/login?redirect=${encodeURIComponent('/unauthorized?tenant=x')}`);
});

test('the root leads home for a user, and through the logout for a visitor', async () => {
  const visitor = setUp('/', { signedIn: false });
  await signInForm();
  expect(visitor.at()).toBe('/login?redirect=%2Fhome');
});

test.each([
  ['/unauthorized', '/unauthorized'],
  ['https://evil.example/', '/home'],
  ['//evil.example', '/home'],
  ['/login', '/home'],
  ['/signup/invite', '/home'],
])('after sign-in the redirect %s leads to %s', async (redirect, target) => {
  const { at } = setUp(`/validate?redirect=${encodeURIComponent(redirect)}`);
  await inside();
  expect(at()).toBe(target);
});

test('somebody signed in has no business on the sign-in page', async () => {
  const { at } = setUp('/login?redirect=%2Funauthorized');
  await screen.findByRole('heading', { name: 'You are not allowed to see this' }, { timeout: 4000 });
  expect(at()).toBe('/unauthorized');
});

test('the logout forgets session, answers and kept answers', async () => {
  const { app, storage, router } = setUp('/unauthorized');
  await inside();
  storage.setItem(PERSISTED_KEY, '{}');
  expect(storage.kept.has(SESSION_KEY)).toBe(true);
  await router.navigate({ to: '/logout' });
  await signInForm();
  expect([...storage.kept.keys()]).toEqual([]);
  expect(app.queryClient.getQueryCache().getAll()).toEqual([]);
  expect(app.session.get()).toBeUndefined();
});

test('a user without any tenant is told so', async () => {
  const { at } = setUp('/home', { me: userWith({}) });
  await screen.findByRole('heading', { name: 'Account not found' });
  expect(at()).toBe('/account-not-found');
});

test('an unknown address says so and leads home', async () => {
  setUp('/nowhere');
  await screen.findByRole('heading', { name: "We couldn't find the page you were looking for" });
  expect(screen.getByRole('link', { name: 'Go home' }).getAttribute('href')).toBe('/home');
});

test('a failure of the server shows its code, words and request id, and trying again works', async () => {
  // React reports what an error boundary caught; here that is the point of the test.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  let healthy = false;
  setUp('/unauthorized', {
    me: () =>
      healthy
        ? Response.json(userWith())
        : Response.json(
            { message: 'You have no access.', code: 'USER_DISABLED', request_id: 'req-7' },
            { status: 403 },
          ),
  });
  await screen.findByRole('heading', { name: 'Unexpected Error' });
  expect(screen.getByText(/Error code/).textContent).toBe('Error code 403');
  expect(screen.getByText(/You have no access/).textContent).toContain('Unable to load user details.');
  expect(screen.getByText('req-7')).toBeTruthy();
  healthy = true;
  screen.getByRole('button', { name: 'Try Again' }).click();
  await screen.findByRole('heading', { name: 'You are not allowed to see this' });
});

test('the session of the dashboard is the one the server just told, not the stored one', async () => {
  const { app } = setUp('/unauthorized', { me: userWith({ own: 'ReadOnly' }) });
  await screen.findByText(/is Read Only/);
  expect(app.session.get()?.currentRole).toBe('ReadOnly');
});

test('switching tenant changes role and plan, and nothing of the previous tenant stays', async () => {
  const { app, storage } = setUp('/unauthorized');
  await inside();
  app.queryClient.setQueryData([ownTenant, 'cases', 'list'], ['CASE-1']);
  storage.setItem(PERSISTED_KEY, '{}');
  expect(await switchTenant(app, otherTenant)).toBe(true);
  expect(app.session.get()).toMatchObject({
    currentTenant: otherTenant,
    currentRole: 'ReadOnly',
    isOwnerTenant: false,
  });
  expect(app.queryClient.getQueryData([ownTenant, 'cases', 'list'])).toBeUndefined();
  expect(storage.kept.has(PERSISTED_KEY)).toBe(false);
});

test('switching to a tenant without membership changes nothing', async () => {
  const { app } = setUp('/unauthorized', { me: userWith({ own: 'Analyst' }) });
  await inside();
  app.queryClient.setQueryData([ownTenant, 'cases', 'list'], ['CASE-1']);
  expect(await switchTenant(app, otherTenant)).toBe(false);
  expect(app.session.get()?.currentTenant).toBe(ownTenant);
  expect(app.queryClient.getQueryData([ownTenant, 'cases', 'list'])).toEqual(['CASE-1']);
});

test('every finished navigation is announced by its pattern, without ids or search', async () => {
  const { router } = setUp('/unauthorized?tenant=x');
  const target = new EventTarget();
  const seen: unknown[] = [];
  target.addEventListener(PAGE_VIEW_EVENT, (event) => seen.push((event as CustomEvent).detail));
  announcePageViews(router, target);
  await inside();
  await router.navigate({ to: '/not-enabled', search: { tenant: otherTenant } });
  await screen.findByRole('heading', { name: 'Not part of your plan' });
  expect(seen.at(-1)).toEqual({ route: '/not-enabled' });
});
