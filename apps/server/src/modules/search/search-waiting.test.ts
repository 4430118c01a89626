import { searchBodySchema } from '@airdeck/contracts/search/schema';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventsQuery } from '../../storage/events-store.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { noLiveSources } from './live-sources.ts';
import { createSearchService } from './search-service.ts';
import { createSearchSlots } from './search-slots.ts';

const SEARCHES = 10;
const tenant = '00000000-0000-4000-8000-000000000001';
const body = searchBodySchema.parse({
  time_range: { start: '2026-11-22T00:00:00.000Z', end: '2026-11-23T00:00:00.000Z' },
});

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-23T00:00:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

it(`answers each of ${SEARCHES} endless searches of one tenant within ten seconds`, async () => {
  const service = createSearchService({
    slots: createSearchSlots(() => false),
    searchLengthDays: async () => 365,
    live: noLiveSources,
    now: () => new Date(),
    events: {
      // A store that works until its time is over, as long as it was given.
      query: ({ timeoutMs = 0 }: EventsQuery) =>
        new Promise((_, reject) => setTimeout(() => reject(new Error('time is over')), timeoutMs)),
    },
  });
  const took: number[] = [];
  const begun = Date.now();
  const asked = { scope: trustedTenantScope(tenant), signal: new AbortController().signal };
  const all = Array.from({ length: SEARCHES }, () =>
    service.run(asked, body).then(
      () => undefined,
      () => took.push(Date.now() - begun),
    ),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all);
  expect(took).toHaveLength(SEARCHES);
  expect(Math.max(...took)).toBeLessThanOrEqual(10_000);
});
