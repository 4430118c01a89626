import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showApp } from '../test-app.tsx';
// Loaded with the file, or the first change of screen would come before it.
import './later-parts.tsx';

vi.setConfig({ testTimeout: 60_000 });

const content = () => document.getElementById('content');
const said = () =>
  [...(content()?.querySelectorAll('[role="status"]') ?? [])].map(({ textContent }) => textContent).join('');
/** Longer than what is told waits. */
const moment = () => act(() => new Promise((resolve) => setTimeout(resolve, 400)));

async function atUnauthorized() {
  const app = showApp('/unauthorized');
  await screen.findByRole('heading', { name: 'You are not allowed to see this' });
  await waitFor(() => expect(content()?.querySelector('[role="status"]')).not.toBeNull());
  return app;
}

test('the screen one comes to is told, and takes the focus that went with the one before', async () => {
  const { router } = await atUnauthorized();
  await moment();
  expect(said()).toBe('');
  expect(document.activeElement).toBe(document.body);
  const heading = screen.getByRole('heading', { level: 1 });
  heading.tabIndex = -1;
  heading.focus();
  await router.navigate({ to: '/not-enabled' });
  await waitFor(() => expect(said()).toBe('Not enabled'));
  expect(document.activeElement).toBe(content());
});

test('whoever has the focus keeps it, and so does a dialog that is yet to take it', async () => {
  const { router } = await atUnauthorized();
  const jump = screen.getByRole('button', { name: 'Jump to…' });
  jump.focus();
  await router.navigate({ to: '/not-enabled' });
  await waitFor(() => expect(said()).toBe('Not enabled'));
  expect(document.activeElement).toBe(jump);

  jump.blur();
  const dialog = document.createElement('div');
  dialog.setAttribute('aria-modal', 'true');
  document.body.append(dialog);
  await router.navigate({ to: '/unauthorized' });
  await waitFor(() => expect(said()).not.toBe('Not enabled'));
  await waitFor(() => expect(said()).not.toBe(''));
  expect(document.activeElement).toBe(document.body);
  dialog.remove();
});

test('another search on the same screen tells nothing and moves nothing', async () => {
  const { router } = await atUnauthorized();
  await router.navigate({ to: '/unauthorized', search: { tenant: undefined, part: 'other' } as never });
  await moment();
  expect(said()).toBe('');
  expect(document.activeElement).toBe(document.body);
});
