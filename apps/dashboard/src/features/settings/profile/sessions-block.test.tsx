import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dialogs } from '../../../components/confirmation/dialog-queue.ts';
import { type AppContext, AppContextProvider } from '../../../session/app-context.ts';
import { IdentityError } from '../../../session/identity-provider.ts';
import { openApp } from '../../../test-app.tsx';
import { ReaderProvider, readerOf } from '../../../ui/reader.ts';
import { SessionsBlock } from './sessions-block.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T17:02:28Z'), toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test('a session says on which day and at what time it began, in the words of other times', async () => {
  const session = { userAgent: 'x', address: '192.0.2.7', lastSeenAt: '2026-11-21T16:57:00Z' };
  const { app } = openApp('/settings/profile', {
    account: {
      listSessions: async () => [
        { ...session, id: '1', isCurrent: true, startedAt: '2026-11-21T17:02:00Z' },
        { ...session, id: '2', isCurrent: false, startedAt: '2026-11-01T09:30:00Z' },
      ],
    },
  });
  show(app);
  expect(await screen.findByText(/active now/)).toHaveProperty(
    'textContent',
    '192.0.2.7 · active now · signed in today at 5:02 PM',
  );
  expect(screen.getByText(/last seen/).textContent).toBe(
    '192.0.2.7 · last seen 5 min ago · signed in Nov 1, 2026 9:30 AM',
  );
});

test('who signed in long ago is asked once who it is before the sessions are shown, and may leave it', async () => {
  let proven = false;
  const { app } = openApp('/settings/profile', {
    account: {
      listSessions: async () => {
        if (!proven) throw new IdentityError('PROOF_REQUIRED');
        const lastSeenAt = '2026-11-21T16:57:00Z';
        return [{ id: '1', isCurrent: true, userAgent: 'x', address: '192.0.2.7', lastSeenAt, startedAt: lastSeenAt }];
      },
      prove: async () => {
        proven = true;
      },
    },
  });
  show(app);
  const button = await screen.findByRole('button', { name: 'Show sessions' });
  expect(screen.queryByText(/192\.0\.2\.7/)).toBeNull();
  fireEvent.click(button);
  (await openProof()).leave();
  await waitFor(() => expect(dialogs.current()).toBeUndefined());
  expect(screen.queryByRole('alert')).toBeNull();
  await waitFor(() => expect(button).not.toHaveProperty('disabled', true));
  fireEvent.click(button);
  await (await openProof()).submit({ code: '123456' });
  expect(await screen.findByText(/192\.0\.2\.7/)).toBeTruthy();
  // A list of before is not left standing when the proof has passed.
  proven = false;
  await app.queryClient.refetchQueries({ queryKey: ['account', 'sessions'] });
  await screen.findByRole('button', { name: 'Show sessions' });
  expect(screen.queryByText(/192\.0\.2\.7/)).toBeNull();
});

function show(app: AppContext): void {
  render(
    <MantineProvider env="test">
      <AppContextProvider value={app}>
        <QueryClientProvider client={app.queryClient}>
          <ReaderProvider value={readerOf({ locale: 'en-US', timezone: 'UTC' })}>
            <SessionsBlock />
          </ReaderProvider>
        </QueryClientProvider>
      </AppContextProvider>
    </MantineProvider>,
  );
}

async function openProof() {
  return await waitFor(() => {
    const dialog = dialogs.current();
    if (dialog?.kind !== 'proof') throw new Error('no proof is asked for');
    return dialog;
  });
}
