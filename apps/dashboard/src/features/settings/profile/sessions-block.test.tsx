import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppContextProvider } from '../../../session/app-context.ts';
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
  expect(await screen.findByText(/active now/)).toHaveProperty(
    'textContent',
    '192.0.2.7 · active now · signed in today at 5:02 PM',
  );
  expect(screen.getByText(/last seen/).textContent).toBe(
    '192.0.2.7 · last seen 5 min ago · signed in Nov 1, 2026 9:30 AM',
  );
});
