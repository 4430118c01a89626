import type { ConnectorDefinition, SearchHit } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { graylog } from '@airdeck/connectors/graylog/graylog';
import type { FoundEvent, SearchOrder } from '@airdeck/contracts/search/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createLiveSources, type LiveAnswer, type LiveConnector } from './live-sources.ts';
import type { EventPage } from './newest-events.ts';
import { pageOf } from './result-page.ts';
import { LIVE_IDS_MAX, readCursor, type SearchCursor, writeCursor } from './search-cursor.ts';
import { DAY_MS, NOW, searchBody } from './search-fixture.ts';

// Pages over a store and connectors that are lists: what they hold between them is what the pages have to show.

const FOREIGN = '01920000-0000-7000-8000-0000000000c0';
const EVERYTHING = { kind: 'all', span: { start: 0, end: 0 } } as const;
const asked = ['01920000-0000-7000-8000-0000000000c1', '01920000-0000-7000-8000-0000000000c2'];

type Message = {
  readonly n: number;
  /** Milliseconds before `NOW`. */
  readonly age: number;
  readonly connectorId: string;
  /** Whether its connector still has it; one that is not asked never does. */
  readonly isLive: boolean;
  /** From which page on the store has it; undefined when polling never took it. */
  readonly storedFrom: number | undefined;
};

type Reading = {
  readonly messages: readonly Message[];
  readonly limit: number;
  readonly sort?: SearchOrder;
  /** The most events the store gives at once, where more are too much for it. */
  readonly storeMost?: number;
};

type Page = { readonly events: readonly FoundEvent[]; readonly live: readonly LiveAnswer[] };

const vendorId = ({ n }: Message) => `m${n}`;
/** In an order that is not that of the messages, as ids are that come with the storing. */
const storedId = ({ n }: Message) => `01920000-0000-4000-8000-${String((n * 7_919) % 10_007).padStart(12, '0')}`;

async function pagesOf({ messages, limit, sort = 'newest', storeMost }: Reading): Promise<Page[]> {
  const body = searchBody({ limit, sort });
  const sources = createLiveSources({
    db: { read: (_, work) => work(undefined as never), tenant: (_, work) => work(undefined as never) },
    connectors: {
      open: async (_, __, { connectorId }) => ({
        ...{ id: connectorId ?? '', config: {}, secrets: [] },
        changedAt: new Date(NOW),
      }),
    },
    searchable: async () => [],
    egress: {} as Egress,
    now: () => new Date(NOW),
  });
  const pages: Page[] = [];
  let cursor: SearchCursor | undefined;
  do {
    const stored = storedPage({
      messages,
      limit: Math.min(limit, storeMost ?? limit),
      sort,
      cursor,
      page: pages.length,
    });
    const question = {
      ...{ scope: trustedTenantScope(FOREIGN), tree: EVERYTHING, integrations: [], limit, sort },
      ...{ from: NOW - DAY_MS, until: NOW + 1, queryNow: NOW, signal: new AbortController().signal },
    };
    const live = await Promise.all(
      asked.map((id) => sources.ask({ ...question, connector: connector(id, messages), after: cursor?.live[id] })),
    );
    const { events, next } = pageOf({ body, stored, live, cursor });
    pages.push({ events, live });
    const total = { value: 0, relation: 'eq' as const };
    // As it goes over the wire.
    cursor = next && readCursor(body, writeCursor(body, { now: NOW, until: NOW + 1, total, ...next }));
  } while (cursor !== undefined && pages.length <= messages.length);
  expect(cursor).toBeUndefined();
  return pages;
}

/** What the store has at a page, by time and id as it gives it. */
function storedPage({
  messages,
  limit,
  sort,
  cursor,
  page,
}: {
  messages: readonly Message[];
  limit: number;
  sort: SearchOrder;
  cursor: SearchCursor | undefined;
  page: number;
}): EventPage {
  const place = ({ time, id }: { time: number; id: string }) => `${time} ${id}`;
  const ascending = (a: string, b: string) => (a < b ? -1 : Number(a > b));
  const inOrder = sort === 'newest' ? (a: string, b: string) => ascending(b, a) : ascending;
  const after = cursor === undefined ? undefined : place(cursor.after);
  const rest = messages
    .filter(({ storedFrom }) => storedFrom !== undefined && storedFrom <= page)
    .map((message) => ({ message, at: place({ time: NOW - message.age, id: storedId(message) }) }))
    .filter(({ at }) => after === undefined || inOrder(at, after) > 0)
    .sort((a, b) => inOrder(a.at, b.at));
  const events = rest.slice(0, limit).map(({ message }) => storedEvent(message));
  // It knows that there are no more only when it gave fewer than it was asked for.
  return { events, complete: rest.length < limit, cut: false };
}

function storedEvent(message: Message): FoundEvent {
  const time = new Date(NOW - message.age).toISOString();
  return {
    ...{ id: storedId(message), time, received_at: time, source_id: FOREIGN, connector_id: message.connectorId },
    ...{ integration: 'graylog', event_type: 'log', severity: '', action: '', outcome: '', host: '', user: '' },
    ...{ src_ip: '', dst_ip: '', message: vendorId(message), fields: { _id: vendorId(message) }, raw: '' },
  };
}

/** Gives its newest first, like Graylog, and those of one moment in an order of its own. */
function connector(id: string, messages: readonly Message[]): LiveConnector {
  const search: ConnectorDefinition['search'] = async ({ start, end, limit }) =>
    messages
      .filter(({ connectorId, isLive }) => isLive && connectorId === id)
      .map((message): SearchHit => {
        const record = { _id: vendorId(message), message: vendorId(message) };
        return { id: vendorId(message), at: new Date(NOW - message.age), record, link: undefined };
      })
      .filter(({ at }) => at >= start && at < end)
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, limit);
  return { id, name: 'Graylog', definition: { ...graylog, search }, eventType: undefined };
}

const isPolled = ({ storedFrom }: Message) => storedFrom !== undefined;
const shown = (pages: readonly Page[]) => pages.flatMap(({ events }) => events.map(({ message }) => message));
const times = (pages: readonly Page[]) => pages.flatMap(({ events }) => events.map(({ time }) => time));

/** Few moments for many messages; each is stored, found live, or both. */
const messagesOf = (storedFrom: fc.Arbitrary<number>) =>
  fc
    .array(
      fc.record({
        age: fc.integer({ min: 0, max: 2 }),
        connectorId: fc.constantFrom(...asked, ...asked, FOREIGN),
        kind: fc.constantFrom('stored', 'live', 'both'),
        storedFrom,
      }),
      { maxLength: 16 },
    )
    .map((all) =>
      all.map(({ age, connectorId, kind, storedFrom: from }, n): Message => {
        if (connectorId === FOREIGN || kind === 'stored') {
          return { n, age, connectorId, isLive: false, storedFrom: 0 };
        }
        return { n, age, connectorId, isLive: true, storedFrom: kind === 'both' ? from : undefined };
      }),
    );

const limits = fc.integer({ min: 1, max: 5 });

describe('page after page, of a store and the connectors that polling fills it from', () => {
  test('every message is shown once, in order, on pages that are full', async () => {
    await fc.assert(
      fc.asyncProperty(messagesOf(fc.constant(0)), limits, async (messages, limit) => {
        const pages = await pagesOf({ messages, limit });
        expect(shown(pages).sort()).toEqual(messages.map(vendorId).sort());
        expect(times(pages)).toEqual(times(pages).sort().reverse());
        expect(pages.slice(0, -1).every(({ events }) => events.length === limit)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('with the oldest first every stored one is, as connectors are left out', async () => {
    await fc.assert(
      fc.asyncProperty(messagesOf(fc.constant(0)), limits, async (messages, limit) => {
        const pages = await pagesOf({ messages, limit, sort: 'oldest' });
        expect(shown(pages).sort()).toEqual(messages.filter(isPolled).map(vendorId).sort());
        expect(times(pages)).toEqual(times(pages).sort());
      }),
    );
  });

  test('also where polling stores it only after its page was shown', async () => {
    await fc.assert(
      fc.asyncProperty(messagesOf(fc.integer({ min: 0, max: 6 })), limits, async (messages, limit) => {
        const pages = await pagesOf({ messages, limit });
        expect(shown(pages).sort()).toEqual(messages.map(vendorId).sort());
        expect(times(pages)).toEqual(times(pages).sort().reverse());
      }),
      { numRuns: 300 },
    );
  });

  test('also where the store gives fewer than a page at once, which are shorter then and never empty', async () => {
    const most = fc.integer({ min: 1, max: 3 });
    await fc.assert(
      fc.asyncProperty(messagesOf(fc.integer({ min: 0, max: 6 })), limits, most, async (messages, limit, storeMost) => {
        const pages = await pagesOf({ messages, limit, storeMost });
        expect(shown(pages).sort()).toEqual(messages.map(vendorId).sort());
        expect(times(pages)).toEqual(times(pages).sort().reverse());
        expect(pages.slice(0, -1).every(({ events }) => events.length > 0)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

test('messages of a moment come to their end also where the vendor has deleted what is stored of it', async () => {
  const [connectorId = ''] = asked;
  const stored = [0, 1].map((n) => ({ n, age: 1, connectorId, isLive: false, storedFrom: 0 }));
  const live = [2, 3].map((n) => ({ n, age: 1, connectorId, isLive: true, storedFrom: undefined }));
  const pages = await pagesOf({ messages: [...stored, ...live], limit: 1 });
  expect(shown(pages).sort()).toEqual(['m0', 'm1', 'm2', 'm3']);
});

describe('of a moment with more messages than a cursor can name', () => {
  const [connectorId = ''] = asked;
  const burst = (length: number, part: Partial<Message>) =>
    Array.from({ length }, (_, n): Message => ({ n, age: 5, connectorId, isLive: true, storedFrom: 0, ...part }));

  test('all that polling has stored are shown, each once, and what lies behind them', async () => {
    const messages = [...burst(2 * LIVE_IDS_MAX, {}), { ...burst(1, {})[0], n: 9_000, age: 9 } as Message];
    const pages = await pagesOf({ messages, limit: 400 });
    expect(shown(pages).sort()).toEqual(messages.map(vendorId).sort());
    expect(shown(pages).at(-1)).toBe('m9000');
  });

  test('the rest of what is found live only is passed over, and said to be', async () => {
    const only = burst(LIVE_IDS_MAX + 600, {}).map((message) =>
      message.n < LIVE_IDS_MAX + 200 ? message : { ...message, storedFrom: undefined },
    );
    const pages = await pagesOf({ messages: only, limit: 500 });
    expect(new Set(shown(pages)).size).toBe(shown(pages).length);
    expect(shown(pages)).toEqual(expect.arrayContaining(only.filter(isPolled).map(vendorId)));
    expect(shown(pages).length).toBe(LIVE_IDS_MAX + 500);
    expect(pages.at(-1)?.live[0]?.source.message).toMatch(/may not be listed/);
  });
});
