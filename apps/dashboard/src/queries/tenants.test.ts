// @vitest-environment jsdom
import type { ApiClient } from '@airdeck/api-client/client';
import { focusManager, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mayPersist } from '../lib/persisted-cache.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { ownTenant } from '../session/fixtures.ts';
import { tenantQueries } from './tenants.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let client: QueryClient;
let paused: boolean;
let asked: number;
let stop: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  client = createQueryClient({ onMutationError: () => undefined });
  // As its provider does.
  client.mount();
  [paused, asked, stop] = [false, 0, []];
});
afterEach(() => {
  for (const each of stop) each();
  client.clear();
  client.unmount();
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

const api = {
  call: async () => {
    asked += 1;
    return { is_automation_paused: paused };
  },
} as unknown as ApiClient;
const query = () => tenantQueries.state({ api, tenantId: ownTenant });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const shown = () => client.getQueryData<unknown>(query().queryKey);

async function look(): Promise<void> {
  stop.push(new QueryObserver(client, query()).subscribe(() => undefined));
  await pass(0);
}

test('tenant details are fresh for an hour and may be kept for the next page load (spec §9)', async () => {
  await client.fetchQuery(query());
  vi.setSystemTime(Date.now() + HOUR - 1);
  await client.fetchQuery(query());
  expect(asked).toBe(1);
  vi.setSystemTime(Date.now() + 1);
  await client.fetchQuery(query());
  expect(asked).toBe(2);
  expect(client.getQueryCache().findAll().map(mayPersist)).toEqual([true]);
});

test('that automation was switched off is known within a minute', async () => {
  await look();
  paused = true;
  await pass(MINUTE);
  expect(shown()).toEqual({ is_automation_paused: true });
});

test('what an earlier page load kept is shown, and asked for anew at once', async () => {
  client.setQueryData(query().queryKey, { is_automation_paused: false } as never);
  paused = true;
  await look();
  expect(asked).toBe(1);
  expect(shown()).toEqual({ is_automation_paused: true });
});

test('whoever comes back to the page is told at once, as nothing is asked in a hidden tab', async () => {
  await look();
  focusManager.setFocused(false);
  paused = true;
  await pass(10 * MINUTE);
  expect(asked).toBe(1);
  focusManager.setFocused(true);
  await pass(0);
  expect(shown()).toEqual({ is_automation_paused: true });
});
