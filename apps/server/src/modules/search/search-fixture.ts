import { randomUUID } from 'node:crypto';
import { type SearchBody, searchBodySchema } from '@airdeck/contracts/search/schema';
import type { z } from 'zod';
import type { EventRow } from '../../storage/events-store.ts';
import { createTestDatabase } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { type LiveSources, noLiveSources } from './live-sources.ts';
import { createSearchService } from './search-service.ts';
import { createSearchSlots } from './search-slots.ts';

/** The clock of everything here. */
export const NOW = Date.parse('2026-11-21T12:00:00.000Z');
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Searches on real stores without the server around them, for plans that reach 30 days back. */
export async function createSearchFixture({
  searchLengthDays = 30,
  live = noLiveSources,
}: {
  searchLengthDays?: number;
  live?: LiveSources;
} = {}) {
  const stores = await createTestDatabase([]);
  const service = createSearchService({
    events: stores.events,
    slots: createSearchSlots(() => false),
    live,
    searchLengthDays: async () => searchLengthDays,
    now: () => new Date(NOW),
  });
  return {
    stores,
    service,
    newTenant: () => trustedTenantScope(randomUUID()),
    /** Stores events of a tenant; received when they happened. */
    async store(tenant: string, events: readonly Partial<EventRow>[]): Promise<EventRow[]> {
      const rows = events.map((event) => {
        const time = event.time ?? NOW - HOUR_MS;
        return eventRow({ tenant, received_at: time, ...event, time });
      });
      await stores.events.insert(rows);
      return rows;
    },
    close: () => stores.close(),
  };
}

export type SearchFixture = Awaited<ReturnType<typeof createSearchFixture>>;

/** A body as it is after validation; the last two days when nothing else is said. */
export function searchBody(parts: Partial<z.input<typeof searchBodySchema>> = {}): SearchBody {
  return searchBodySchema.parse({ time_range: rangeOf(NOW - 2 * DAY_MS, NOW), ...parts });
}

export function rangeOf(from: number, until: number): { start: string; end: string } {
  return { start: new Date(from).toISOString(), end: new Date(until).toISOString() };
}
