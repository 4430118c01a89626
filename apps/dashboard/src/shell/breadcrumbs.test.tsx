import { breadcrumbsOf } from '@airdeck/domain/breadcrumbs';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { openApp, showApp, visit } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const admin = { me: userWith({ own: 'Admin' }) };
const id = '01920000-0000-7000-8000-000000000301';
const setUps = {
  me: userWith({ own: 'SystemManager' }),
  answers: { [`GET /api/tenants/${ownTenant}/onboarding/in_progress`]: () => Response.json([]) },
};

afterEach(() => vi.restoreAllMocks());

function onPhone() {
  const wide = window.matchMedia('(min-width: 0)');
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    ...wide,
    media,
    matches: media.includes('max-width'),
  }));
}

const crumbs = async () => within(await screen.findByRole('navigation', { name: 'Breadcrumbs' }));

test('the way to connect systems has one name, in the rail, above the screen and as its title', async () => {
  showApp('/set-up', setUps);
  expect(await screen.findByRole('heading', { level: 1, name: 'Connect systems' })).toBeTruthy();
  expect((await crumbs()).getByText('Connect systems')).toBeTruthy();
  expect((await crumbs()).queryByText('Set up')).toBeNull();
  expect(screen.getByRole('link', { name: 'Connect systems' })).toBeTruthy();
});

test('a wide screen shows the whole way', async () => {
  showApp('/settings/contact-directory', admin);
  expect((await crumbs()).getByRole('link', { name: 'Settings' })).toBeTruthy();
  expect((await crumbs()).queryByRole('link', { name: /^Back/ })).toBeNull();
});

const linksIn = (shown: Awaited<ReturnType<typeof crumbs>>) =>
  shown.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);

test('on a phone a screen shows where one is, whole, and one way back', async () => {
  onPhone();
  showApp('/settings/contact-directory', admin);
  const shown = await crumbs();
  expect(shown.getByText('Contact directory').getAttribute('aria-current')).toBe('page');
  expect(linksIn(shown)).toEqual([['Back to Settings', '/settings']]);
});

test('on a phone a screen without a crumb of its own is not taken for the one above it, which both ways lead to', async () => {
  onPhone();
  showApp(`/set-up/${id}`, setUps);
  const shown = await crumbs();
  expect(shown.getByText('Connect systems').getAttribute('aria-current')).toBeNull();
  expect(linksIn(shown)).toEqual([
    ['Back to Connect systems', '/set-up'],
    [null, '/set-up'],
  ]);
});

test('of a detail page the last crumb is its list, and leads there', async () => {
  showApp(`/activity/playbooks/${id}`, admin);
  const list = (await crumbs()).getByRole('link', { name: 'Playbooks' });
  expect(list.getAttribute('href')).toBe('/activity/playbooks');
  expect(list.getAttribute('aria-current')).toBeNull();
  expect((await crumbs()).queryByText((_, node) => node?.getAttribute('aria-current') === 'page')).toBeNull();
});

test('every crumb of every address leads to an address', () => {
  const { router } = openApp('/home', admin);
  const addresses = Object.keys(router.routesByPath).map((path) =>
    path.replaceAll(/\$\w*(id)\b/gi, id).replaceAll(/\$\w+/g, 'name'),
  );
  expect(addresses.length).toBeGreaterThan(50);
  const crumbed = new Set(addresses.flatMap((address) => breadcrumbsOf(address).map(({ path }) => path)));
  const nowhere = [...crumbed].filter((path) => {
    const [, rest, found] = router.getMatchedRoutes(path);
    return found === undefined || '**' in rest;
  });
  expect(nowhere).toEqual([]);
});

test.each([
  ['/settings', '/settings/profile'],
  ['/activity', '/activity/actions'],
  ['/air', '/air/overview'],
])('on a phone the first screen of %s has no way back that leads to itself', async (area, first) => {
  expect(new URL((await visit(area, admin)).at, 'https://air.test').pathname).toBe(first);
  onPhone();
  showApp(first, admin);
  const shown = await crumbs();
  await waitFor(() =>
    expect(shown.getAllByText((_, node) => node?.getAttribute('aria-current') === 'page')).not.toEqual([]),
  );
  expect(shown.queryAllByRole('link')).toEqual([]);
});
