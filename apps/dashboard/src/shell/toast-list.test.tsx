import { notificationsStore } from '@mantine/notifications';
import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showDone, toasts } from '../lib/toasts.ts';
import { otherTenant } from '../session/fixtures.ts';
import { switchTenant } from '../session/switch-tenant.ts';
import { showApp } from '../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './toast-list.tsx';

vi.setConfig({ testTimeout: 60_000 });
const inside = () => screen.findByLabelText('Breadcrumbs');

async function say(message: string): Promise<void> {
  act(() => showDone(message));
  await screen.findByText(message);
}

test('whoever signs in next reads neither what showed before nor what was answered late', async () => {
  const { router, state } = showApp('/unauthorized');
  await inside();
  await say('CASE-1 closed');
  await router.navigate({ to: '/logout' });
  await screen.findByRole('heading', { name: 'Sign in to AIRdeck' });
  showDone('CASE-2 closed');
  state.signedIn = true;
  await router.navigate({ to: '/unauthorized' });
  await inside();
  await say('Saved');
  expect(screen.queryByText(/CASE-\d closed/)).toBeNull();
});

test('in the next tenant nothing stays of what was said in the one before, nor what waits for a place', async () => {
  const { app } = showApp('/unauthorized');
  await inside();
  act(() => toasts.add({ message: 'Widget removed', action: { label: 'Undo', run: () => undefined } }));
  await screen.findByRole('button', { name: 'Undo' });
  // Four show; another one waits for a place.
  for (const message of ['CASE-1 closed', 'CASE-2 closed', 'CASE-3 closed']) await say(message);
  act(() => showDone('CASE-4 closed'));
  await act(async () => {
    await switchTenant(app, otherTenant);
  });
  expect(notificationsStore.getState()).toMatchObject({ notifications: [], queue: [] });
  await say('Saved');
});
