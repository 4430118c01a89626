import type { ApiClient } from '@airdeck/api-client/client';
import { executiveReportLimits } from '@airdeck/contracts/reports/executive-report-limits';
import { InfiniteQueryObserver, type QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resourcesByChange } from '../lib/live-updates.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { queryRows } from '../lib/query-policy.ts';
import { executiveReportQueries } from './executive-reports.ts';
import { searchReportQueries } from './search-reports.ts';

type Link = ReturnType<typeof searchReportQueries.link>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ID = '01920000-0000-7000-8000-000000000901';

let client: QueryClient;
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-29T08:00:00Z') });
  client = createQueryClient({ onMutationError: () => undefined });
  asked = [];
});
afterEach(() => {
  client.clear();
  vi.useRealTimers();
});

const api = {
  call: async (route: string) => {
    asked.push(route);
    return route.endsWith('.list') ? [] : { download_link: `/files/${asked.length}`, expires_at: '' };
  },
} as unknown as ApiClient;
const tenantApi = { api, tenantId: 'own' };
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test.each([
  // The server's own two minutes began before its answer was here, so that the last seconds are left out.
  ['a search report', () => searchReportQueries.link(tenantApi, ID), 2 * MINUTE - 11_000, 2 * MINUTE - 9000],
  ['an executive report', () => executiveReportQueries.link(tenantApi, ID), 30 * MINUTE - 1, 30 * MINUTE],
])('the link of %s is used again while its button is there and it is fresh (spec §9)', async (_, link, fresh, old) => {
  const first = await client.fetchQuery(link() as Link);
  const stop = new QueryObserver(client, { ...(link() as Link), enabled: false }).subscribe(() => undefined);
  await pass(fresh);
  expect(await client.fetchQuery(link() as Link)).toEqual(first);
  expect(asked).toHaveLength(1);
  await pass(old - fresh);
  expect(await client.fetchQuery(link() as Link)).not.toEqual(first);
  expect(asked).toHaveLength(2);
  stop();
});

test('the server opens the file of an executive report for longer than its link is used again', () => {
  expect(executiveReportLimits.linkMinutes * MINUTE).toBeGreaterThan(queryRows.mdrDownloadLink.staleMs);
});

test('reports are fresh for a day (spec §9), until the server says that one is ready', async () => {
  const list = searchReportQueries.list(tenantApi);
  const stop = new InfiniteQueryObserver(client, list).subscribe(() => undefined);
  await pass(DAY - 1);
  const again = new InfiniteQueryObserver(client, list).subscribe(() => undefined);
  await pass(0);
  expect(asked).toHaveLength(1);
  await pass(1);
  const later = new InfiniteQueryObserver(client, list).subscribe(() => undefined);
  await pass(0);
  expect(asked).toHaveLength(2);
  expect(resourcesByChange.notification).toContain(list.queryKey[1]);
  expect(resourcesByChange.notification).toContain(executiveReportQueries.list(tenantApi).queryKey[1]);
  for (const each of [stop, again, later]) each();
});
