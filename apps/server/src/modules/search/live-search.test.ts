import type { ConnectorDefinition, SearchContext, SearchHit } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { graylog } from '@airdeck/connectors/graylog/graylog';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TenantScope } from '../../tenant-scope.ts';
import { createLiveSources } from './live-sources.ts';
import { LIVE_IDS_MAX } from './search-cursor.ts';
import { createSearchFixture, HOUR_MS, NOW, type SearchFixture, searchBody } from './search-fixture.ts';

const SECRET = 'token-of-the-connector';
const CONNECTOR = v7();
const LINK = 'https://graylog.example/messages/graylog_0/m2';
const signal = new AbortController().signal;

/** What the vendor answers; a test says so. */
let vendor: (context: SearchContext) => Promise<readonly SearchHit[]>;
let asked: SearchContext[];
let fixture: SearchFixture;
let tenant: TenantScope;

const definition: ConnectorDefinition = {
  ...graylog,
  search: (context) => {
    asked.push(context);
    return vendor(context);
  },
};
const none = undefined as never;

beforeAll(async () => {
  const live = createLiveSources({
    db: { read: (_, work) => work(none), tenant: (_, work) => work(none) },
    connectors: {
      open: async () => ({ id: CONNECTOR, config: { api_token: SECRET }, secrets: [SECRET], changedAt: new Date(NOW) }),
    },
    searchable: async () => [{ id: CONNECTOR, name: 'Graylog of ACME', definition, eventType: 'log' }],
    egress: {} as Egress,
    now: () => new Date(NOW),
  });
  fixture = await createSearchFixture({ live });
});
afterAll(() => fixture?.close());
beforeEach(() => {
  tenant = fixture.newTenant();
  asked = [];
  vendor = async () => [];
});

const run = (parts: Parameters<typeof searchBody>[0] = {}) =>
  fixture.service.run({ scope: tenant, signal }, searchBody(parts));

/** A vendor with these messages, which answers as asked. */
function having(messages: readonly { id: string; time: number; link?: string; record?: object }[]) {
  vendor = async ({ start, end, limit }) =>
    messages
      .map(({ id, time, link, record }) => ({
        id,
        link,
        at: new Date(time),
        record: { message: `live ${id}`, ...record },
      }))
      .filter(({ at }) => at >= start && at < end)
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, limit);
}

/** Messages of all pages, and what each page said of the connector. */
async function allPages(limit: number): Promise<{ messages: string[]; notes: string[] }> {
  const messages: string[] = [];
  const notes: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await run({ limit, ...(cursor === undefined ? {} : { cursor }) });
    messages.push(...answer.events.map(({ message }) => message));
    notes.push(...answer.sources.map(({ message }) => message));
    cursor = answer.cursor ?? undefined;
  } while (cursor !== undefined && messages.length < 3_000);
  return { messages, notes };
}

describe('a connector that is searched live', () => {
  it('is merged with the store, newest first, as events of its integration', async () => {
    await fixture.store(tenant.tenantId, [
      { time: NOW - 1_000, message: 'stored 1' },
      { time: NOW - 3_000, message: 'stored 3' },
    ]);
    const credentials = Buffer.from(`${SECRET}:token`).toString('base64');
    const record = { source: 'dc-1', level: 3, user: 'ana', note: `with ${SECRET}`, sent: `Basic ${credentials}` };
    having([{ id: 'm2', time: NOW - 2_000, link: LINK, record }]);
    const answer = await run({ query: 'host:dc-1' });
    expect(asked).toMatchObject([
      { tenant: tenant.tenantId, query: 'source:dc-1', limit: 100, config: { api_token: SECRET } },
    ]);
    expect(answer.events).toMatchObject([
      {
        id: 'm2',
        source_id: null,
        connector_id: CONNECTOR,
        integration: 'graylog',
        host: 'dc-1',
        severity: 'high',
        link: LINK,
      },
    ]);
    expect(JSON.stringify(answer)).toContain('Basic [secret]');
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    const all = await run();
    expect(all.events.map(({ message }) => message)).toEqual(['stored 1', 'live m2', 'stored 3']);
    expect(all.total).toEqual({ value: 2, relation: 'eq' });
    expect(all.sources).toMatchObject([
      { connector_id: CONNECTOR, name: 'Graylog of ACME', state: 'answered', found: 1 },
    ]);
  });

  it('and the store come page by page, each event once, also those of one moment', async () => {
    const stored = Array.from({ length: 60 }, (_, n) => ({
      time: NOW - 1 - Math.floor(n / 7) * HOUR_MS,
      message: `s${n}`,
    }));
    await fixture.store(tenant.tenantId, stored);
    having(Array.from({ length: 45 }, (_, n) => ({ id: `m${n}`, time: NOW - 1 - Math.floor(n / 9) * 2 * HOUR_MS })));
    const seen: { message: string; time: string }[] = [];
    let cursor: string | undefined;
    do {
      const answer = await run({ limit: 10, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...answer.events);
      cursor = answer.cursor ?? undefined;
    } while (cursor !== undefined && seen.length < 500);
    const expected = [...stored.map(({ message }) => message), ...Array.from({ length: 45 }, (_, n) => `live m${n}`)];
    expect(seen.map(({ message }) => message).sort()).toEqual(expected.sort());
    expect(seen.map(({ time }) => time)).toEqual(
      seen
        .map(({ time }) => time)
        .sort()
        .reverse(),
    );
  });

  it('comes page by page to what lies before a moment with more messages than a page', async () => {
    const burst = Array.from({ length: 260 }, (_, n) => ({ id: `b${n}`, time: NOW - 5 }));
    having([{ id: 'newest', time: NOW - 1 }, ...burst, { id: 'oldest', time: NOW - 9 }]);
    const { messages, notes } = await allPages(100);
    expect(messages).toEqual(['newest', ...burst.map(({ id }) => id), 'oldest'].map((id) => `live ${id}`));
    expect(new Set(notes)).toEqual(new Set(['']));
  });

  it('passes over the rest of a moment with more messages than a cursor can name, and says so', async () => {
    const burst = Array.from({ length: LIVE_IDS_MAX + 500 }, (_, n) => ({ id: `b${n}`, time: NOW - 5 }));
    having([...burst, { id: 'oldest', time: NOW - 9 }]);
    const { messages, notes } = await allPages(300);
    expect(new Set(messages).size).toBe(messages.length);
    expect(messages.length).toBeGreaterThan(LIVE_IDS_MAX);
    expect(messages.at(-1)).toBe('live oldest');
    expect(notes.at(-1)).toMatch(/some of them may not be listed/);
  });

  it('that fails says so, and the store answers all the same', async () => {
    await fixture.store(tenant.tenantId, [{ message: 'stored' }]);
    vendor = () => Promise.reject(new VendorError('VENDOR_REJECTED', `Graylog does not know ${SECRET}.`));
    const answer = await run();
    expect(answer.events.map(({ message }) => message)).toEqual(['stored']);
    expect(answer).toMatchObject({
      partial: true,
      sources: [{ state: 'failed', message: expect.stringContaining('Graylog') }],
    });
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  it('is not asked what it cannot know, nor when the search is about others', async () => {
    expect((await run({ query: '_received_at:>now-1h' })).sources).toMatchObject([{ state: 'not_searchable' }]);
    expect((await run({ integrations: ['graylog:log'] })).sources).toMatchObject([{ state: 'not_searchable' }]);
    expect((await run({ integrations: ['okta'] })).sources).toEqual([]);
    expect((await run({ connector_id: v7() })).sources).toEqual([]);
    expect((await run({ sort: 'oldest' })).sources).toMatchObject([{ state: 'not_searchable' }]);
    expect((await run({ live: false })).sources).toEqual([]);
    expect(asked).toEqual([]);
    expect((await run({ integrations: ['graylog', 'okta'] })).sources).toMatchObject([{ state: 'answered' }]);
  });

  it('does not show again what polling has stored', async () => {
    await fixture.store(tenant.tenantId, [
      { time: NOW - 2_000, message: 'polled', connector_id: CONNECTOR, fields: { _id: 'm1' } },
    ]);
    having([
      { id: 'm1', time: NOW - 2_000 },
      { id: 'm2', time: NOW - 1_000 },
    ]);
    expect((await run()).events.map(({ message }) => message)).toEqual(['live m2', 'polled']);
  });

  it('is not repeated behind the end of a page by what polling has stored, or stores while somebody reads', async () => {
    const polled = [1, 2, 3, 4, 5, 6].map((n) => ({ id: `m${n}`, time: NOW - 1_000 * n }));
    const store = (messages: typeof polled) =>
      fixture.store(
        tenant.tenantId,
        messages.map(({ id, time }) => ({
          ...{ time, message: `stored ${id}`, connector_id: CONNECTOR, fields: { _id: id } },
        })),
      );
    having(polled);
    await fixture.store(tenant.tenantId, [
      { time: NOW - 1, message: 'other' },
      { time: NOW - HOUR_MS, message: 'last' },
    ]);
    const first = await run({ limit: 3 });
    expect(first.events.map(({ message }) => message)).toEqual(['other', 'live m1', 'live m2']);
    await store(polled);
    const second = await run({ limit: 2, cursor: first.cursor ?? '' });
    expect(second.events.map(({ message }) => message)).toEqual(['stored m3', 'stored m4']);
    const { messages } = await allPages(4);
    expect(messages).toEqual(['other', ...polled.map(({ id }) => `stored ${id}`), 'last']);
  });

  it('goes on behind a page it failed at or was not asked for, which repeats nothing of it', async () => {
    const times = [1, 2, 3, 4, 5].map((n) => NOW - 1_000 * n);
    await fixture.store(
      tenant.tenantId,
      times.map((time, n) => ({ time, message: `s${n}`, connector_id: CONNECTOR, fields: { _id: `m${n}` } })),
    );
    const answers = () => having(times.map((time, n) => ({ id: `m${n}`, time })));
    answers();
    const first = await run({ limit: 1, live: false });
    const second = await run({ limit: 1, cursor: first.cursor ?? '' });
    vendor = () => Promise.reject(new VendorError('VENDOR_REJECTED', 'Not now.'));
    const third = await run({ limit: 1, cursor: second.cursor ?? '' });
    expect(third).toMatchObject({ partial: true, sources: [{ state: 'failed' }] });
    answers();
    const fourth = await run({ limit: 10, cursor: third.cursor ?? '' });
    const all = [first, second, third, fourth].flatMap(({ events }) => events);
    expect(all.map(({ message }) => message)).toEqual(['s0', 's1', 's2', 's3', 's4']);
  });
});
