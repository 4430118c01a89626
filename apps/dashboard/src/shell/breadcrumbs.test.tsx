import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { showApp, visit } from '../test-app.tsx';

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

test.each([
  ['/settings/contact-directory', 'Contact directory', 'Back to Settings', '/settings'],
  [`/set-up/${id}`, 'Connect systems', 'Back to Connect systems', '/set-up'],
])('on a phone %s shows where one is, whole, and one way back', async (address, here, back, to) => {
  onPhone();
  showApp(address, address.startsWith('/set-up') ? setUps : admin);
  const shown = await crumbs();
  expect(shown.getByText(here).getAttribute('aria-current')).toBe('page');
  expect(
    shown.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
  ).toEqual([[back, to]]);
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
