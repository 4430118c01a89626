import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { failure, type Given, showApp } from '../../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const route = 'POST /me/notification_webhook/secret';

async function asked(answers: Given['answers'] = {}) {
  const opened = showApp('/settings/notifications', { answers });
  fireEvent.click(await screen.findByRole('button', { name: 'New signing secret…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Make a new signing secret?' });
  const calls = () => opened.state.asked.filter((call) => call === route).length;
  return { ...opened, dialog, calls };
}

test('a secret is made only after the question, shown once, and gone with its dialog', async () => {
  const { app, dialog, calls } = await asked({
    [route]: () => Response.json({ secret: 'whsec_once' }, { status: 201 }),
  });
  expect(dialog.textContent).toContain('stops counting at once');
  expect(calls()).toBe(0);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Make secret' }));
  const shown = await screen.findByRole('dialog', { name: 'Signing secret' });
  expect(within(shown).getByText('whsec_once')).toBeTruthy();
  fireEvent.click(within(shown).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText('whsec_once')).toBeNull());
  expect(calls()).toBe(1);
  const kept = app.queryClient.getMutationCache().getAll();
  await waitFor(() => expect(JSON.stringify(kept.map(({ state }) => state))).not.toContain('whsec_once'));
});

test('the secret is lost neither by a key nor by a click beside it', async () => {
  const { dialog } = await asked({ [route]: () => Response.json({ secret: 'whsec_once' }, { status: 201 }) });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Make secret' }));
  const shown = await screen.findByRole('dialog', { name: 'Signing secret' });
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
  fireEvent.keyDown(shown, { key: 'Escape' });
  for (const beside of document.querySelectorAll('.mantine-Modal-overlay, .mantine-Modal-inner')) {
    fireEvent.mouseDown(beside);
    fireEvent.click(beside);
  }
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.getByText('whsec_once')).toBeTruthy();
});

test('left at the question, nothing is made', async () => {
  const { dialog, calls } = await asked();
  fireEvent.click(within(dialog).getByText('Cancel'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls()).toBe(0);
});

test('a failure is said in the question, which stays', async () => {
  const { dialog } = await asked({ [route]: () => failure(403, 'ROLE_TOO_LOW', 'Not with an API key.') });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Make secret' }));
  expect(await within(dialog).findByText(/Not with an API key/)).toBeTruthy();
  expect(screen.queryByRole('dialog', { name: 'Signing secret' })).toBeNull();
});
