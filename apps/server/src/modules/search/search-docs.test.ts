import { readFileSync } from 'node:fs';
import { DOCUMENTED_NOW, documentedSearches } from '@airdeck/query-language/testing/documented-searches';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSearchFixture, DAY_MS, NOW, rangeOf, type SearchFixture, searchBody } from './search-fixture.ts';

const page = readFileSync(new URL('../../../../../docs/search.md', import.meta.url), 'utf8');
const { events, examples, refused } = documentedSearches(page);
const signal = new AbortController().signal;

let fixture: SearchFixture;
let names: Map<string, string>;
let tenant: ReturnType<SearchFixture['newTenant']>;

beforeAll(async () => {
  fixture = await createSearchFixture();
  tenant = fixture.newTenant();
  // Received now, or the store would not keep them in later years.
  const received_at = Date.now();
  const rows = await fixture.store(
    tenant.tenantId,
    events.map(({ parts }) => ({ ...parts, received_at })),
  );
  names = new Map(rows.map(({ id }, index) => [id, events[index]?.name ?? '']));
});
afterAll(() => fixture?.close());

const search = (query: string) =>
  fixture.service.run({ scope: tenant, signal }, searchBody({ query, time_range: rangeOf(NOW - 20 * DAY_MS, NOW) }));

/** The same examples that the matcher is held to beside the language: both say what the page says. */
describe('the page about searching', () => {
  it('is about the same moment as these searches', () => {
    expect(DOCUMENTED_NOW).toBe(NOW);
    expect(examples.length).toBeGreaterThan(50);
  });

  it.each(examples)('%s finds %s in the event store', async (query, finds) => {
    const found = (await search(query)).events.map(({ id }) => names.get(id));
    expect(found.sort().join(', ')).toBe(finds);
  });

  it.each(refused)('%s is refused: %s', async (query, message) => {
    await expect(search(query)).rejects.toMatchObject({ code: 'QUERY_INVALID', message });
  });
});
