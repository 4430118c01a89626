import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { otherTenant, userWith } from '../session/fixtures.ts';
import { showApp } from '../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './tenant-chooser.tsx';

vi.setConfig({ testTimeout: 60_000 });
afterEach(() => vi.restoreAllMocks());

const branded = () => {
  const me = userWith({ own: 'Analyst', other: 'Analyst' });
  const other = me.tenants[otherTenant];
  if (other !== undefined) other.brand.display_name = 'Contoso';
  return me;
};

async function open(me = branded(), search = '') {
  showApp(`/unauthorized${search}`, { me });
  fireEvent.click(await screen.findByRole('button', { name: /^Select Tenant, now/ }));
  return within(await screen.findByRole('dialog', { name: /^Select Tenant/ }));
}

const optionsOf = (dialog: Awaited<ReturnType<typeof open>>) =>
  dialog.getAllByRole('option', { hidden: true }).map(({ textContent }) => textContent?.replace(/^./, ''));

test('the full name of the tenant is a heading, also where it shows itself with another', async () => {
  const dialog = await open(branded(), `?tenant=${otherTenant}`);
  expect(screen.getByRole('button', { name: 'Select Tenant, now Contoso', hidden: true })).toBeTruthy();
  expect(dialog.getByRole('heading', { name: 'Contoso Health' })).toBeTruthy();
});

function onPhone() {
  const wide = window.matchMedia('(min-width: 0)');
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    ...wide,
    media,
    matches: media.includes('max-width'),
  }));
}

test('on a phone the heading stands in the drawer', async () => {
  onPhone();
  showApp('/unauthorized', { me: branded() });
  fireEvent.click(await screen.findByRole('button', { name: 'Open navigation' }));
  fireEvent.click(await screen.findByRole('button', { name: /^Select Tenant, now/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Select Tenant/ }));
  expect(dialog.getByRole('heading', { name: 'Northwind Traders' })).toBeTruthy();
});

test('drawers give the focus back to their buttons, also when they close for the first time', async () => {
  onPhone();
  showApp('/unauthorized', { me: branded() });
  const press = (button: HTMLElement) => {
    button.focus();
    fireEvent.click(button);
  };
  const burger = await screen.findByRole('button', { name: 'Open navigation' });
  press(burger);
  const navigation = await screen.findByRole('dialog', { name: 'Navigation' });
  const picker = () => within(navigation).getByRole('button', { name: /^Select Tenant, now/ });
  press(picker());
  const chooser = await screen.findByRole('dialog', { name: 'Select Tenant' });
  press(within(chooser).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(chooser.isConnected).toBe(false));
  await waitFor(() => expect(document.activeElement).toBe(picker()));
  fireEvent.keyDown(picker(), { key: 'Escape' });
  await waitFor(() => expect(navigation.isConnected).toBe(false));
  await waitFor(() => expect(document.activeElement).toBe(burger));
});

test('whoever works for several sees which tenant is theirs, and the full name where another is shown', async () => {
  const dialog = await open();
  expect(optionsOf(dialog)).toEqual(['Northwind Tradersyour own', 'ContosoContoso Health']);
  // Of the present one the heading says it too.
  expect(dialog.getAllByText('your own')).toHaveLength(2);
});

test('in another tenant the heading is not marked', async () => {
  expect((await open(branded(), `?tenant=${otherTenant}`)).getAllByText('your own')).toHaveLength(1);
});

test('whoever has one tenant sees no mark', async () => {
  expect((await open(userWith({ own: 'Analyst' }))).queryByText('your own')).toBeNull();
});
