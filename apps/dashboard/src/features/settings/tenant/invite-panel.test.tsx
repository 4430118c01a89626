import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './users-panel.tsx';
import { tenantSettings } from '../tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const nameField = () => screen.findByLabelText<HTMLInputElement>('Name');
const panel = () => screen.queryByRole('dialog', { name: 'Invite user' });
const pressEscape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });

async function opened() {
  showApp('/settings/tenant-settings?panel=users', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(tenantSettings),
      [`GET ${api}/users`]: () => Response.json([]),
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Invite user' }));
  return await nameField();
}

test('Esc in a half filled form asks before it drops what was typed', async () => {
  fireEvent.change(await opened(), { target: { value: 'Rosa Ortiz' } });
  pressEscape();
  await screen.findByText('Leave without saving?');
  fireEvent.click(screen.getByText('Stay'));
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull());
  expect((await nameField()).value).toBe('Rosa Ortiz');
  pressEscape();
  await screen.findByText('Leave without saving?');
  press('Leave');
  await waitFor(() => expect(panel()).toBeNull());
});

test('nothing typed, nothing asked; Cancel is an answer of its own', async () => {
  await opened();
  pressEscape();
  await waitFor(() => expect(panel()).toBeNull());
  press('Invite user');
  fireEvent.change(await nameField(), { target: { value: 'Rosa Ortiz' } });
  press('Cancel');
  await waitFor(() => expect(panel()).toBeNull());
  expect(screen.queryByText('Leave without saving?')).toBeNull();
});
