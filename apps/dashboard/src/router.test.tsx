import { act, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTelemetryQueue, type Happening, noteNavigation } from './lib/telemetry-queue.ts';
import { PERSISTED_KEY } from './lib/wipe-caches.ts';
import { currentUserQuery } from './session/current-user.ts';
import { foreignTenant, memoryStorage, otherTenant, ownTenant, userWith } from './session/fixtures.ts';
import { SESSION_KEY } from './session/session-store.ts';
import { forgetUser } from './session/sign-out.ts';
import { switchTenant } from './session/switch-tenant.ts';
import { openApp, showApp } from './test-app.tsx';

afterEach(() => vi.restoreAllMocks());

const HOUR_MS = 3_600_000;
const setUp = showApp;

/** Inside the dashboard's frame, whatever the screen. */
const inside = () => screen.findByLabelText('Breadcrumbs');
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
  ['/settings/profile', '/settings/profile'],
  ['/unauthorized', '/home'],
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
  const { at } = setUp('/login?redirect=%2Fsettings%2Fprofile');
  await inside();
  expect(at()).toBe('/settings/profile');
});

test('the logout forgets session, answers and kept answers', async () => {
  const { app, storage, router } = setUp('/unauthorized');
  await inside();
  storage.setItem(PERSISTED_KEY, '{}');
  expect(storage.kept.has(SESSION_KEY)).toBe(true);
  await router.navigate({ to: '/logout' });
  await signInForm();
  expect([...storage.kept.keys()]).toEqual([]);
  const kept = app.queryClient.getQueryCache().getAll();
  expect(kept.map(({ queryKey }) => queryKey[0])).toEqual(['sign-in-connections']);
  expect(app.session.get()).toBeUndefined();
});

test('a session that is over takes the screen along, which would ask for what was forgotten', async () => {
  const { app, state } = setUp('/unauthorized');
  await inside();
  state.signedIn = false;
  state.asked.length = 0;
  await act(() => forgetUser(app));
  expect(screen.queryByLabelText('Breadcrumbs')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('Loading');
  expect(state.asked).toEqual([]);
});

test('a user without any tenant is told so', async () => {
  const { at } = setUp('/home', { me: userWith({}) });
  await screen.findByRole('heading', { name: 'Account not found' });
  expect(at()).toBe('/account-not-found?redirect=%2Fhome');
  expect(screen.getByRole('link', { name: 'Use another account' }).getAttribute('href')).toBe(
    '/logout?redirect=%2Fhome',
  );
});

test('an unknown address says so and leads home', async () => {
  setUp('/nowhere');
  await screen.findByRole('heading', { name: "We couldn't find the page you were looking for" });
  expect(screen.getByRole('link', { name: 'Go home' }).getAttribute('href')).toBe('/home');
});

test('no screen shows its placeholder sooner than the others (spec §2)', () => {
  const { router } = openApp('/');
  const sooner = Object.values(router.routesById).flatMap((route) => {
    const { pendingMs } = route.options as { pendingMs?: number };
    return pendingMs === undefined ? [] : [`${route.id} ${pendingMs}`];
  });
  expect(sooner).toEqual([]);
  expect(router.options.defaultPendingMs).toBe(300);
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

test('what the cache has of the user is taken however old where the address says so, and asked again otherwise', async () => {
  let asked = 0;
  const me = () => {
    asked += 1;
    return Response.json(userWith());
  };
  const { app, router } = setUp('/unauthorized', { me });
  await inside();
  // It comes a step after its frame, and would ask for what is old by then.
  await screen.findByRole('heading', { name: 'You are not allowed to see this' });
  const grownOld = () =>
    app.queryClient.setQueryData(currentUserQuery(app.api).queryKey, (user) => user, {
      updatedAt: Date.now() - HOUR_MS,
    });
  grownOld();
  const before = asked;
  await router.navigate({ to: '/not-enabled', search: { forceCache: true } });
  await screen.findByRole('heading', { name: 'Not part of your plan' });
  expect(asked).toBe(before);
  grownOld();
  await router.navigate({ to: '/unauthorized' });
  await expect.poll(() => asked).toBeGreaterThan(before);
});

test('switching to a tenant without membership changes nothing', async () => {
  const { app } = setUp('/unauthorized', { me: userWith({ own: 'Analyst' }) });
  await inside();
  app.queryClient.setQueryData([ownTenant, 'cases', 'list'], ['CASE-1']);
  expect(await switchTenant(app, otherTenant)).toBe(false);
  expect(app.session.get()?.currentTenant).toBe(ownTenant);
  expect(app.queryClient.getQueryData([ownTenant, 'cases', 'list'])).toEqual(['CASE-1']);
});

test('every navigation is noted by its pattern, without ids or search, when it begins and when it is finished', async () => {
  const { router } = setUp('/unauthorized?tenant=x');
  const queue = createTelemetryQueue();
  noteNavigation(router, queue);
  await inside();
  await router.navigate({ to: '/not-enabled', search: { tenant: otherTenant } });
  await screen.findByRole('heading', { name: 'Not part of your plan' });
  const seen: Happening[] = [];
  queue.drainTo((happening) => seen.push(happening));
  expect(seen.slice(-2)).toEqual([
    { kind: 'opening', route: '/not-enabled' },
    { kind: 'view', route: '/not-enabled' },
  ]);
});

test('a tenant named in the address is worked in, and nothing of the previous one stays', async () => {
  const storage = memoryStorage();
  const first = setUp('/unauthorized', { storage });
  await inside();
  first.leave();
  const { app } = setUp(`/unauthorized?tenant=${otherTenant}`, { storage });
  app.queryClient.setQueryData([ownTenant, 'cases', 'list'], ['CASE-1']);
  await inside();
  expect(app.session.get()?.currentTenant).toBe(otherTenant);
  expect(app.queryClient.getQueryData([ownTenant, 'cases', 'list'])).toBeUndefined();
});

test('a tenant named in capital letters is the same one', async () => {
  const tenant = '01920000-0000-7000-8000-0000000000ab';
  const me = JSON.parse(JSON.stringify(userWith()).replaceAll(otherTenant, tenant));
  const { app } = setUp(`/unauthorized?tenant=${tenant.toUpperCase()}`, { me });
  await inside();
  expect(app.session.get()?.currentTenant).toBe(tenant);
});

test('a tenant named in the address without membership is refused, never replaced by another', async () => {
  const { at } = setUp(`/home?tenant=${foreignTenant}`);
  await screen.findByRole('heading', { name: 'You are not allowed to see this' });
  expect(new URL(at(), 'https://air.test').pathname).toBe('/unauthorized');
  expect(screen.getByText('You are not a member of that tenant.')).toBeTruthy();
  expect(screen.queryByText(/Your role in/)).toBeNull();
  expect(screen.getByRole('link', { name: 'Go home' }).getAttribute('href')).toBe('/home');
});

test('hovering a link to another tenant changes nothing', async () => {
  const { app, router } = setUp('/unauthorized');
  await inside();
  await router.preloadRoute({ to: '/not-enabled', search: { tenant: otherTenant } });
  expect(app.session.get()?.currentTenant).toBe(ownTenant);
});

describe('a local store that was tampered with', () => {
  const session = { currentTenant: foreignTenant, currentRole: 'Admin', isOwnerTenant: true, currentSKU: {} };
  test.each([
    ['a foreign tenant and a higher role', JSON.stringify({ ...session, currentSKU: skuOf(userWith()) })],
    ['half a session', JSON.stringify(session)],
    ['no JSON', '{"currentTenant":'],
    ['another release', JSON.stringify({ tenant: ownTenant })],
  ])('%s: the session is the one the server tells', async (_, text) => {
    const storage = memoryStorage();
    storage.setItem(SESSION_KEY, text);
    const { app } = setUp('/unauthorized', { storage, me: userWith({ own: 'ReadOnly' }) });
    await inside();
    expect(app.session.get()).toMatchObject({ currentTenant: ownTenant, currentRole: 'ReadOnly', isOwnerTenant: true });
    expect(JSON.parse(storage.getItem(SESSION_KEY) ?? '')).toMatchObject({ currentRole: 'ReadOnly' });
  });
});

function skuOf(me: ReturnType<typeof userWith>) {
  const sku_info = me.tenants[ownTenant]?.sku_info;
  return { is_search_enabled: true, is_mdr_enabled: true, sku_info };
}
