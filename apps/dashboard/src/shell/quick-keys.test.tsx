import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userWith } from '../session/fixtures.ts';
import { showApp } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const press = (key: string, init: KeyboardEventInit = {}) => fireEvent.keyDown(document.body, { key, ...init });

async function inside() {
  await screen.findByRole('button', { name: 'Jump to…' });
}

test('Ctrl+K finds a screen by other words too, and Enter goes there', async () => {
  const { router, leave } = showApp('/unauthorized');
  await inside();
  press('k', { ctrlKey: true });
  const field = await screen.findByRole('textbox', { name: 'Jump to' });
  fireEvent.change(field, { target: { value: 'workflows' } });
  const palette = within(screen.getByRole('dialog'));
  expect(await palette.findByRole('button', { name: /^Playbooks/ })).toBeDefined();
  await waitFor(() => expect(palette.queryByRole('button', { name: /^Home/ })).toBeNull());
  // The focus is in the field: what is chosen is said.
  await waitFor(() => expect(palette.getByRole('status').textContent).toMatch(/^Playbooks/));

  fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/playbooks'));
  leave();
});

test('two keys lead to a screen, but not while somebody types', async () => {
  const { router, leave } = showApp('/unauthorized');
  await inside();
  press('k', { ctrlKey: true });
  const field = await screen.findByRole('textbox', { name: 'Jump to' });
  fireEvent.keyDown(field, { key: 'g' });
  fireEvent.keyDown(field, { key: 'c' });
  expect(router.state.location.pathname).toBe('/unauthorized');
  fireEvent.keyDown(field, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Jump to' })).toBeNull());
  press('g');
  press('h');
  await waitFor(() => expect(router.state.location.pathname).toBe('/home'));
  leave();
});

test('? shows every key', async () => {
  const { leave } = showApp('/unauthorized');
  await inside();
  press('?');
  const map = await screen.findByRole('dialog', { name: 'Keyboard' });
  expect(within(map).getByText('Next row')).toBeDefined();
  leave();
});

test('what the role may not enter is not found', async () => {
  const { leave } = showApp('/unauthorized', { me: userWith({ own: 'ReadOnly' }) });
  await inside();
  press('k', { ctrlKey: true });
  const field = await screen.findByRole('textbox', { name: 'Jump to' });
  const palette = within(screen.getByRole('dialog'));
  fireEvent.change(field, { target: { value: 'audit' } });
  expect(await palette.findByText('Nothing is called “audit”.')).toBeDefined();
  leave();
});
