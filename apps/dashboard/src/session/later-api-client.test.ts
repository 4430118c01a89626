import { ApiError } from '@airdeck/api-client/api-error';
import { createApiClient } from '@airdeck/api-client/client';
import { expect, test } from 'vitest';
import { createLaterApiClient } from './later-api-client.ts';

const real = () =>
  createApiClient({
    baseUrl: 'https://air.test',
    getToken: async () => 'token',
    fetch: async () => Response.json({ live: true }),
    onUnauthorized: () => undefined,
    newId: () => 'id',
  });

test('a call waits for the client, which is loaded once and at once', async () => {
  let loads = 0;
  const api = createLaterApiClient(async () => {
    loads += 1;
    return real();
  });
  expect(loads).toBe(1);
  const calls = await Promise.all([api.call('system.live', {}), api.call('system.live', {})]);
  expect([calls, loads]).toEqual([[{ live: true }, { live: true }], 1]);
});

test('code that does not load is a network failure, and the next call tries again', async () => {
  let healthy = false;
  const api = createLaterApiClient(async () => {
    if (!healthy) throw new TypeError('Failed to fetch dynamically imported module');
    return real();
  });
  const failed = await api.call('system.live', {}).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(ApiError);
  expect(failed).toMatchObject({ category: 'network', retryable: true });
  healthy = true;
  expect(await api.call('system.live', {})).toEqual({ live: true });
});
