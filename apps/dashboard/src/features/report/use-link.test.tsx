import { ApiError } from '@airdeck/api-client/api-error';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { createQueryClient } from '../../lib/query-client.ts';
import { type Toast, toasts } from '../../lib/toasts.ts';
import { executiveReportQueries } from '../../queries/executive-reports.ts';
import { type AppContext, AppContextProvider } from '../../session/app-context.ts';
import { useLink } from './use-link.ts';

/** A button for an executive report, on a server that gives a link with every call but the first `refusals`. */
function button(refusals: number) {
  let asked = 0;
  const call = async () => {
    asked += 1;
    // A part of this page: the only place a page of a test can go to.
    if (asked > refusals) return { download_link: `#file-${asked}`, expires_at: '' };
    throw new ApiError({
      ...{ endpoint: '/api/tenants/{tenant}/reports/{id}', method: 'GET', code: 'NOT_FOUND', message: 'It is gone.' },
      ...{ category: 'client', status: 404 },
    });
  };
  const queryClient = createQueryClient({ onMutationError: () => undefined });
  const app = { queryClient, config: { api_base_url: window.location.href } } as AppContext;
  const wrapper = ({ children }: { children: ReactNode }) => (
    <AppContextProvider value={app}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </AppContextProvider>
  );
  const tenantApi = { api: { call } as never, tenantId: 'own' };
  const { result } = renderHook(() => useLink(executiveReportQueries.link(tenantApi, 'one')), { wrapper });
  return { follow: () => result.current.follow(), asked: () => asked };
}

test('the file is opened behind the link of before while that is fresh', async () => {
  const { follow, asked } = button(0);
  follow();
  await expect.poll(() => window.location.hash).toBe('#file-1');
  window.location.hash = '';
  follow();
  await expect.poll(() => window.location.hash).toBe('#file-1');
  expect(asked()).toBe(1);
});

test('a link that does not come is told in its own words, and is asked for again', async () => {
  const shown: Toast[] = [];
  const stop = toasts.drainTo((toast) => shown.push(toast));
  const { follow } = button(1);
  window.location.hash = '';
  follow();
  await expect
    .poll(() => shown)
    .toEqual([
      {
        ...{ title: 'Unable to load MDR download link...', danger: true },
        message: 'Please refresh and try again. (It is gone.)',
      },
    ]);
  expect(window.location.hash).toBe('');
  follow();
  await expect.poll(() => window.location.hash).toBe('#file-2');
  stop();
});
