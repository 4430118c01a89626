import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { showApp } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
afterEach(() => vi.useRealTimers());

/** A session that ends in a minute, and after `onUse` as it says. Looks happen when the test lets time pass. */
async function lastMinute(onUse: () => number) {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setInterval', 'clearInterval'] });
  let endsAt = Date.now() + 60_000;
  let isUsed = false;
  const app = showApp('/unauthorized', {
    identity: {
      sessionEndsAt: () => endsAt,
      getToken: async () => {
        if (isUsed) endsAt = onUse();
        return 'token';
      },
    },
  });
  await screen.findByRole('button', { name: 'Jump to…' });
  await waitFor(
    async () => {
      await act(() => vi.advanceTimersByTimeAsync(15_000));
      screen.getByRole('alert');
    },
    { timeout: 20_000 },
  );
  const press = () => {
    isUsed = true;
    fireEvent.click(screen.getByRole('button', { name: 'Stay signed in' }));
  };
  return { ...app, press };
}

test('says when the session ends, and is gone once somebody stays', async () => {
  const { press, leave } = await lastMinute(() => Date.now() + 1_800_000);
  expect(screen.getByRole('alert').textContent).toMatch(/^You will be signed out at \d/);
  press();
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  leave();
});

test('says so when a session cannot be made longer, and offers nothing that does not help', async () => {
  const { press, leave } = await lastMinute(() => Date.now() + 60_000);
  press();
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/cannot be made longer/));
  expect(screen.queryByRole('button', { name: 'Stay signed in' })).toBeNull();
  leave();
});
