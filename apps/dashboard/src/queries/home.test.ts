import { ApiError } from '@airdeck/api-client/api-error';
import type { ApiClient } from '@airdeck/api-client/client';
import { MutationObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createQueryClient } from '../lib/query-client.ts';
import { homeMutations } from './home.ts';

test('saving the home page is not tried again by itself (spec §9): it goes out with the next change or visit', async () => {
  const asked: string[] = [];
  const api = {
    call: (route: string) => {
      asked.push(route);
      const at = { endpoint: '/me/home_layout', method: 'PUT', code: 'UNEXPECTED', message: 'No.' };
      return Promise.reject(new ApiError({ ...at, category: 'server', status: 503 }));
    },
  } as unknown as ApiClient;
  const queryClient = createQueryClient({ onMutationError: () => undefined });
  const { mutate, options } = new MutationObserver(queryClient, homeMutations.saveLayout(api, queryClient));
  expect(options.retry).toBe(false);
  await expect(mutate({ widgets: null, known: [] })).rejects.toThrow();
  expect(asked).toEqual(['home-layout.save']);
});
