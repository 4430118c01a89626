import { ApiError } from '@airdeck/api-client/api-error';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { defaultWidgets } from '../../components/widgets/widgets.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { type AppContext, AppContextProvider } from '../../session/app-context.ts';
import { useLayoutSync } from './layout-sync.ts';
import type { Layout } from './widget-store.ts';

const changed: Layout = { widgets: defaultWidgets.slice(1), hidden: [], version: 2, changed: true };

/** A visit of the home page at which the profile does not answer `refusals` times. */
function visit(first: Layout, refusals: number) {
  const saves: unknown[] = [];
  const kept: Layout[] = [];
  const queryClient = createQueryClient({ onMutationError: () => undefined });
  const call = async (route: string, { body }: { body?: object }) => {
    if (route === 'home-layout.get') return { version: 2, widgets: null, known: [] };
    saves.push(body);
    if (saves.length > refusals) return { version: 3, widgets: null, known: [], ...body };
    throw new ApiError({
      ...{ endpoint: '/me/home_layout', method: 'PUT', code: 'UNEXPECTED', message: 'No.' },
      ...{ category: 'server', status: 503 },
    });
  };
  const app = { api: { call }, queryClient } as unknown as AppContext;
  const wrapper = ({ children }: { children: ReactNode }) => (
    <AppContextProvider value={app}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </AppContextProvider>
  );
  const hook = renderHook(
    (layout: Layout) =>
      useLayoutSync({ layout, keep: (next) => kept.push(next), change: () => undefined, hide: () => undefined }),
    { wrapper, initialProps: first },
  );
  return { saves, kept, queryClient, ...hook };
}

test('what was not saved stays in this browser as changed, and goes out with the next change', async () => {
  const { saves, kept, queryClient, rerender } = visit(changed, 1);
  await expect.poll(() => saves.length).toBe(1);
  await expect.poll(() => queryClient.isMutating()).toBe(0);
  expect(kept).toEqual([]);
  rerender({ ...changed, widgets: defaultWidgets.slice(2) });
  await expect.poll(() => kept).toEqual([{ ...changed, widgets: defaultWidgets.slice(2), version: 3, changed: false }]);
  expect(saves).toHaveLength(2);
});

test('what an earlier visit did not save goes out with this one', async () => {
  const { kept } = visit(changed, 0);
  await expect.poll(() => kept).toEqual([{ ...changed, version: 3, changed: false }]);
});
