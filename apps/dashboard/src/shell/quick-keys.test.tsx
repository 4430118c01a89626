import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { acknowledgedCase, caseList } from '../features/air/case/case-fixtures.ts';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { showApp } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
afterEach(() => delete document.documentElement.dataset.singleKeys);
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
  fireEvent.change(field, { target: { value: 'o' } });
  const chosen = () => palette.getByRole('status').textContent;
  await waitFor(() => expect(chosen()).not.toMatch(/^(Playbooks)?$/));
  const first = chosen();
  fireEvent.keyDown(field, { key: 'ArrowDown', code: 'ArrowDown' });
  fireEvent.keyUp(field, { key: 'ArrowDown', code: 'ArrowDown' });
  expect(chosen()).not.toBe(first);
  fireEvent.change(field, { target: { value: 'workflows' } });
  await waitFor(() => expect(chosen()).toMatch(/^Playbooks/));

  fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/playbooks'));
  leave();
});

test('what the server finds a moment later is chosen, and Enter goes there', async () => {
  const path = `/api/tenants/${ownTenant}/case`;
  const { router, leave } = showApp('/unauthorized', {
    answers: { [`GET ${path}`]: () => Response.json(caseList([acknowledgedCase])) },
  });
  await inside();
  press('k', { ctrlKey: true });
  const field = await screen.findByRole('textbox', { name: 'Jump to' });
  fireEvent.change(field, { target: { value: '203.0.113.7' } });
  const palette = within(screen.getByRole('dialog'));
  await palette.findByText('Nothing is called “203.0.113.7”.');
  await palette.findByRole('button', { name: /^Password guessing/ });
  await waitFor(() => expect(palette.getByRole('status').textContent).toMatch(/^Password guessing/));

  fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe(`/air/case-management/${acknowledgedCase.id}`));
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

test('switched off, keys pressed alone do nothing, and the map of keys says so', async () => {
  document.documentElement.dataset.singleKeys = 'off';
  const { router, leave } = showApp('/unauthorized');
  await inside();
  press('g');
  press('h');
  press('?');
  press('k', { ctrlKey: true });
  fireEvent.click(await screen.findByRole('button', { name: /^All keys/ }));
  const map = within(await screen.findByRole('dialog', { name: 'Keyboard' }));
  expect(map.getByText(/^Keys pressed alone are switched off/)).toBeDefined();
  expect(router.state.location.pathname).toBe('/unauthorized');
  fireEvent.click(map.getByRole('link', { name: 'Single-key shortcuts' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/settings/profile'));
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
