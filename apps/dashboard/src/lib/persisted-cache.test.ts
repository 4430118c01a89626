import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BrowserStorage } from './browser-storage.ts';
import { createPersistedCache } from './persisted-cache.ts';
import { policyOf } from './query-policy.ts';
import { wipeCaches } from './wipe-caches.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function memory(): BrowserStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** One page load: its own query client on the storage of the browser. */
async function pageLoad(storage: BrowserStorage, release = '1.14.2', isOurs = () => true) {
  const queryClient = new QueryClient();
  await createPersistedCache({ queryClient, storage, release, isOurs }).start();
  const load = (name: 'playbooks' | 'cases', data: unknown) =>
    queryClient.fetchQuery({ ...policyOf(name), queryKey: ['t', name], queryFn: () => Promise.resolve(data) });
  return { queryClient, load, read: (name: string) => queryClient.getQueryData(['t', name]) };
}
const afterThrottle = () => vi.advanceTimersByTimeAsync(31_000);

test('answers that may be kept come back after a reload, under the key "local"; others do not', async () => {
  const storage = memory();
  const first = await pageLoad(storage);
  await first.load('playbooks', ['block address']);
  await first.load('cases', ['CASE-1']);
  await afterThrottle();
  expect([...storage.kept.keys()]).toEqual(['local']);
  expect(storage.kept.get('local')).not.toContain('CASE-1');
  const second = await pageLoad(storage);
  expect(second.read('playbooks')).toEqual(['block address']);
  expect(second.read('cases')).toBeUndefined();
});

test('what another release or an older day wrote is thrown away', async () => {
  const storage = memory();
  const first = await pageLoad(storage);
  await first.load('playbooks', ['old']);
  await afterThrottle();
  const written = storage.kept.get('local') ?? '';
  expect((await pageLoad(storage, '1.15.0')).read('playbooks')).toBeUndefined();
  storage.setItem('local', written);
  vi.setSystemTime(Date.now() + 25 * 3_600_000);
  expect((await pageLoad(storage)).read('playbooks')).toBeUndefined();
});

test('a burst of answers is written at most twice in thirty seconds', async () => {
  const storage = memory();
  const write = vi.spyOn(storage, 'setItem');
  const { load, queryClient } = await pageLoad(storage);
  for (let round = 0; round < 50; round += 1) {
    queryClient.removeQueries({ queryKey: ['t', 'playbooks'] });
    await load('playbooks', [round]);
  }
  await vi.advanceTimersByTimeAsync(29_000);
  expect(write.mock.calls.length).toBeLessThanOrEqual(2);
});

test('after a wipe nothing comes back, not even what the throttle still held', async () => {
  const storage = memory();
  const { load, queryClient } = await pageLoad(storage);
  await load('playbooks', ['first']);
  await afterThrottle();
  queryClient.setQueryData(['t', 'playbooks'], ['held back']);
  await wipeCaches(queryClient, storage);
  expect(storage.kept.size).toBe(0);
  await afterThrottle();
  await afterThrottle();
  expect(storage.kept.get('local') ?? '').not.toMatch(/first|held back/);
});

test.each(['{broken', '"text"', '{"buster":"1.14.2"}'])(
  'a store that was tampered with (%s) is thrown away, and keeping goes on',
  async (text) => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    const storage = memory();
    storage.setItem('local', text);
    const { load } = await pageLoad(storage);
    expect(storage.kept.has('local')).toBe(false);
    await load('playbooks', ['kept']);
    await afterThrottle();
    expect(storage.kept.get('local')).toContain('kept');
    vi.restoreAllMocks();
  },
);

test('a tab whose tenant is not the kept one any more writes nothing over what the other tab keeps', async () => {
  const storage = memory();
  let ours = true;
  const { load } = await pageLoad(storage, '1.14.2', () => ours);
  storage.setItem('local', 'of the other tab');
  ours = false;
  await load('playbooks', ['of this tab']);
  await afterThrottle();
  expect(storage.kept.get('local')).toBe('of the other tab');
});
