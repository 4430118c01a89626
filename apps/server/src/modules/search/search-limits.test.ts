import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventsError, type EventsQuery } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { noLiveSources } from './live-sources.ts';
import { createSearchFixture, DAY_MS, HOUR_MS, NOW, type SearchFixture, searchBody } from './search-fixture.ts';
import { createSearchService } from './search-service.ts';
import { createSearchSlots } from './search-slots.ts';

// The store itself, which gives up where a test says so: real searches that are too much would take their time.

let fixture: SearchFixture;
let tenant: TenantScope;
/** Which statements are too much. */
let givesUpOn: (query: EventsQuery) => boolean;
let asked: EventsQuery[];

beforeAll(async () => {
  fixture = await createSearchFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  tenant = fixture.newTenant();
  asked = [];
  givesUpOn = () => false;
  await fixture.store(
    tenant.tenantId,
    Array.from({ length: 40 }, (_, n) => ({ time: NOW - 1 - n * HOUR_MS, message: `m${n}` })),
  );
});

function run(parts: Parameters<typeof searchBody>[0] = {}) {
  const service = createSearchService({
    events: {
      query: async <T>(query: EventsQuery) => {
        asked.push(query);
        if (givesUpOn(query)) throw new EventsError('EVENTS_QUERY_TOO_EXPENSIVE', 'too much');
        return await fixture.stores.events.query<T>(query);
      },
    },
    slots: createSearchSlots(() => false),
    live: noLiveSources,
    searchLengthDays: async () => 30,
    now: () => new Date(NOW),
  });
  return service.run({ scope: tenant, signal: new AbortController().signal }, searchBody(parts));
}

const isHistogram = ({ sql }: EventsQuery) => sql.includes('group by bucket');
const limitOf = ({ params }: EventsQuery) => Number(params?.row_limit);
const lengthOf = ({ params }: EventsQuery) => Number(params?.until) - Number(params?.from);

describe('filters that are very large together', () => {
  const filtersOf = (count: number) =>
    Array.from({ length: count }, () => ({
      ...{ field: 'host', op: 'one_of' as const },
      value: Array.from({ length: 20 }, (_, n) => 'é'.repeat(500) + n),
    }));

  it('are refused before the store is asked: its address would be too long, and whoever keeps them fills every list', async () => {
    await expect(run({ filters: filtersOf(6) })).rejects.toMatchObject({
      code: 'QUERY_INVALID',
      details: [{ path: 'body.filters', reason: 'QUERY_FILTERS_TOO_LARGE', values: { maximum: 60_000 } }],
    });
    expect(asked).toEqual([]);
  });

  it('are searched as long as the store takes them, written out in its address', async () => {
    expect((await run({ filters: filtersOf(5) })).events).toEqual([]);
  });
});

describe('a search that is too much for the store', () => {
  it('shows its events without a total when only counting is', async () => {
    givesUpOn = isHistogram;
    const answer = await run({ limit: 10 });
    expect(answer).toMatchObject({ partial: true, total: { value: 10, relation: 'gte' }, histogram: [] });
    expect(answer.events).toHaveLength(10);
  });

  it('tries its newest part when the whole range is too much at once', async () => {
    givesUpOn = (query) => !isHistogram(query) && lengthOf(query) > DAY_MS;
    const { events } = await run({ query: 'user:root', limit: 5 });
    expect(events.map(({ message }) => message)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
  });

  it('shows what was found before it became too much, and goes on from there', async () => {
    givesUpOn = (query) => !isHistogram(query) && Number(query.params?.from) < NOW - 20 * HOUR_MS;
    const first = await run({ limit: 100 });
    expect(first).toMatchObject({ partial: true, total: { value: 40, relation: 'eq' } });
    expect(first.events.length).toBeGreaterThan(0);
    givesUpOn = () => false;
    const rest = await run({ limit: 100, cursor: first.cursor ?? '' });
    expect([...first.events, ...rest.events].map(({ message }) => message)).toEqual(
      Array.from({ length: 40 }, (_, n) => `m${n}`),
    );
  });

  it('shows fewer events when they are too large for one answer', async () => {
    givesUpOn = (query) => !isHistogram(query) && limitOf(query) > 4;
    const { events, cursor } = await run({ limit: 30 });
    expect(events).toHaveLength(1);
    expect(cursor).not.toBeNull();
  });

  it('is refused with a sentence when not even one can be shown', async () => {
    givesUpOn = () => true;
    await expect(run()).rejects.toMatchObject({ code: 'SEARCH_TOO_EXPENSIVE', status: 400 });
  });

  it('never has more time, memory or answer than the bounds, whatever it asks', async () => {
    await run({ query: 'raw:/.*a.*/' });
    expect(asked.length).toBeGreaterThan(0);
    expect(
      asked.every(
        ({ timeoutMs = Infinity, maxResultBytes = Infinity }) => timeoutMs <= 9_000 && maxResultBytes <= 16e6,
      ),
    ).toBe(true);
  });
});

it('looks at the newest part of a range only, where it finds enough', async () => {
  await run({ limit: 1 });
  const [page] = asked.filter((query) => !isHistogram(query));
  expect(lengthOf(page ?? { tenant: '', sql: '' })).toBeLessThan(HOUR_MS);
});
