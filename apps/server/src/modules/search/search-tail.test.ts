import { searchCriteriaSchema, type TailMessage } from '@airdeck/contracts/search/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import type { EventRow } from '../../storage/events-store.ts';
import { eventRow } from '../../storage/test-events.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createSearchTails, type TailRequest, tailBounds } from './search-tail.ts';

let server: TestServer;
let origin: string;
let tenant: string;
let analyst: Actor;
let opened: AbortController[];

beforeAll(async () => {
  server = await createTestServer();
  origin = await server.composition.app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server?.close());
beforeEach(async () => {
  opened = [];
  tenant = await server.createTenant();
  analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
});
afterEach(() => {
  for (const client of opened) client.abort();
});

type Sent = { event: string; data: unknown; id: string };

/** A tail over a real connection; `next` waits for what the server sends. */
async function tail(query: Record<string, string> = {}, { who = analyst, of = tenant, after = '' } = {}) {
  const client = new AbortController();
  opened.push(client);
  const url = `${origin}/api/tenants/${of}/search/tail?${new URLSearchParams(query)}`;
  const headers = { ...who.headers, ...(after === '' ? {} : { 'last-event-id': after }) };
  const answer = await fetch(url, { headers, signal: client.signal });
  if (!answer.ok || answer.body === null) return { status: answer.status, body: await answer.json(), next: undefined };
  const sent = messagesOf(answer.body);
  return {
    status: answer.status,
    body: undefined,
    /** Undefined when the server has ended the stream. */
    next: async (): Promise<Sent | undefined> => (await sent.next()).value,
    close: () => client.abort(),
  };
}

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Sent, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: ([^\r\n]*)$/m.exec(block)?.[1];
      const id = /^id: (.*)$/m.exec(block)?.[1] ?? '';
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data), id };
    }
  }
  return undefined;
}

async function arrive(events: readonly Partial<EventRow>[], of = tenant) {
  const at = Date.now();
  const rows = events.map((event) => eventRow({ tenant: of, time: at, received_at: at, ...event }));
  await server.stores.events.insert(rows);
  return rows;
}

/** Messages of the next `count` events, over as many sendings as it takes. */
async function nextMessages({ next }: Awaited<ReturnType<typeof tail>>, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) {
    const sent = await next?.();
    if (sent?.event !== 'events') throw new Error(`The stream went on with ${JSON.stringify(sent)}.`);
    found.push(...(sent.data as TailMessage).events.map(({ message }) => message));
  }
  return found;
}

describe('a live search', () => {
  it('sends what arrives and matches, each event once, and nothing of other tenants', async () => {
    const other = await server.createTenant();
    await arrive([{ message: 'needle before it was opened' }]);
    const live = await tail({
      query: 'needle',
      integrations: 'sshd',
      filters: '[{"field":"user","op":"is","value":"root"}]',
    });
    await arrive([{ message: 'needle foreign' }], other);
    await arrive([{ message: 'hay' }, { message: 'needle one' }, { message: 'needle of okta', integration: 'okta' }]);
    expect(await nextMessages(live, 1)).toEqual(['needle one']);
    await arrive([{ message: 'needle two' }, { message: 'needle of bob', user: 'bob' }]);
    expect(await nextMessages(live, 1)).toEqual(['needle two']);
  });

  it('keeps a text that looks like the end of a message and the beginning of another inside of its own', async () => {
    const live = await tail({ query: 'needle' });
    const message = 'needle\n\nevent: ended\ndata: {"reason":"forged"}\n\n\r\r: x\u2028\u0000</script>';
    await arrive([{ message }]);
    expect(await nextMessages(live, 1)).toEqual([message]);
    await arrive([{ message: 'needle after it' }]);
    expect(await nextMessages(live, 1)).toEqual(['needle after it']);
  });

  it('sends what was received long ago and is only stored now, as from a spool or a batch that is repeated', async () => {
    const live = await tail({ query: 'needle' });
    const day = Date.now() - 24 * 3_600_000;
    await arrive([{ message: 'needle of yesterday', time: day, received_at: day }]);
    expect(await nextMessages(live, 1)).toEqual(['needle of yesterday']);
    await arrive([{ message: 'needle of now' }]);
    expect(await nextMessages(live, 1)).toEqual(['needle of now']);
  });

  it('says how many it left out of a burst, and shows the newest ones', async () => {
    const live = await tail();
    const at = Date.now() + 100;
    await arrive(Array.from({ length: 400 }, (_, n) => ({ message: `burst ${n}`, received_at: at + n })));
    const sent = await live.next?.();
    const { events, left_out } = (sent?.data ?? {}) as TailMessage;
    expect(events).toHaveLength(50);
    expect(left_out).toBe(350);
    expect(events.map(({ message }) => message)).toEqual(Array.from({ length: 50 }, (_, n) => `burst ${350 + n}`));
  });

  it('ends, and says why, when its user loses the right to search', async () => {
    const live = await tail();
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(
        tx,
        { tenant, user: analyst.id, role: 'ReadOnly' },
        { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null },
      ),
    );
    expect(await live.next?.()).toEqual({ event: 'ended', data: { reason: 'access' }, id: '' });
    expect(await live.next?.()).toBeUndefined();
  });

  it.each([
    ['a query that cannot run', { query: '(open' }, 'QUERY_INVALID', 'query.query'],
    ['filters that are no list', { filters: '{"a":1}' }, 'VALIDATION_FAILED', 'query.filters'],
    ['filters that are no JSON', { filters: '[' }, 'VALIDATION_FAILED', 'query.filters'],
  ])('of %s is refused before it opens', async (_, query, code, path) => {
    expect(await tail(query)).toMatchObject({ status: 400, body: { code, details: [{ path }] } });
  });

  it('is one of a few per person, and a closed one makes room', async () => {
    const first = await tail();
    for (let n = 1; n < tailBounds.perUser; n++) expect((await tail()).status).toBe(200);
    expect(await tail()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    first.close?.();
    await expect.poll(async () => (await tail()).status).toBe(200);
  });

  it('does not keep the server from stopping', async () => {
    const live = await tail();
    server.composition.work.search.stop();
    expect(await live.next?.()).toBeUndefined();
  });
});

describe('a client that comes back', () => {
  const minutesAgo = (minutes: number) => String(Date.now() - minutes * 60_000);

  it('is sent what was stored while it was away', async () => {
    const live = await tail({ query: 'needle' });
    await arrive([{ message: 'needle one' }]);
    const first = await live.next?.();
    expect(first).toMatchObject({ data: { events: [{ message: 'needle one' }] }, id: expect.stringMatching(/^\d+$/) });
    live.close?.();
    await arrive([{ message: 'needle while away' }]);
    const again = await tail({ query: 'needle' }, { after: first?.id ?? '' });
    // Once more what was stored shortly before: it may not have been found then.
    expect(await nextMessages(again, 2)).toEqual(['needle one', 'needle while away']);
    await arrive([{ message: 'needle of now' }]);
    expect(await nextMessages(again, 1)).toEqual(['needle of now']);
  });

  it('is sent more at once than usual, and only what it has never been sent counts as left out', async () => {
    const at = Date.now();
    await arrive(Array.from({ length: 260 }, (_, n) => ({ message: `needle ${n}`, received_at: at + n })));
    const firstAfter = async (after: string) => {
      const { next } = await tail({ query: 'needle' }, { after });
      const sent = await next?.();
      const { events, left_out } = (sent?.data ?? {}) as TailMessage;
      return [events.length, left_out];
    };
    expect(await firstAfter(minutesAgo(1))).toEqual([200, 60]);
    expect(await firstAfter(String(at + 260))).toEqual([200, 0]);
  });

  it('after too long is told so instead of being shown a part', async () => {
    const live = await tail({ query: 'needle' }, { after: minutesAgo(11) });
    expect(await live.next?.()).toMatchObject({ event: 'ended', data: { reason: 'away' } });
    expect(await live.next?.()).toBeUndefined();
  });

  it.each(['nonsense', '-5'])('with an id that is none of ours (%s) starts anew', async (after) => {
    await arrive([{ message: 'needle before it was opened' }]);
    const live = await tail({ query: 'needle' }, { after });
    await arrive([{ message: 'needle of now' }]);
    expect(await nextMessages(live, 1)).toEqual(['needle of now']);
  });
});

describe('a store that does not answer for a while', () => {
  it('leaves no gap: the next look reaches back to the last one that was answered', async () => {
    const clock = { at: Date.now() };
    const written: string[] = [];
    const store = { answers: true };
    const tails = await openTail({
      clock,
      written,
      query: async (query) => {
        if (!store.answers) throw new Error('no answer');
        return await server.stores.events.query(query);
      },
    });
    await expect.poll(() => written.length).toBeGreaterThan(1);
    store.answers = false;
    await arrive([{ message: 'needle meanwhile' }]);
    // Further than any look reaches back by itself.
    clock.at += 5 * 60_000;
    store.answers = true;
    const sent = () => written.filter((text) => text.includes('needle meanwhile')).length;
    await expect.poll(sent).toBe(1);
    tails.stop();
  });
});

describe('an insert that takes long', () => {
  it('is sent once it can be found, though most looks do not reach back to where it began', async () => {
    const clock = { at: Date.now() };
    const written: string[] = [];
    const tails = await openTail({ clock, written });
    // Each look since then was answered; for the tail what is stored now began a minute ago.
    clock.at += 60_000;
    await expect.poll(() => written.some((text) => text.includes(`id: ${clock.at}`))).toBe(true);
    await arrive([{ message: 'needle of a slow insert' }]);
    const sent = () => written.filter((text) => text.includes('needle of a slow insert')).length;
    await expect.poll(sent).toBe(1);
    // Looks that reach back to it again do not send it again.
    const looks = written.length;
    await expect.poll(() => written.length).toBeGreaterThan(looks + 25);
    expect(sent()).toBe(1);
    tails.stop();
  });
});

type Query = (query: Parameters<TestServer['stores']['events']['query']>[0]) => Promise<unknown[]>;
type Setting = { clock: { at: number }; written: string[]; query?: Query };

/** One by itself, on a clock of the test, that looks all the time. */
async function openTail({ clock, written, query = (asked) => server.stores.events.query(asked) }: Setting) {
  const tails = createSearchTails({
    events: { query: (asked) => query(asked) as Promise<never[]> },
    searchLengthDays: async () => 30,
    now: () => new Date(clock.at),
    log: { warn: () => undefined },
    pollMs: 5,
  });
  await tails.open({
    scope: trustedTenantScope(tenant),
    userId: analyst.id,
    criteria: searchCriteriaSchema.parse({ query: 'needle' }),
    reply: recordingReply(written),
    signal: new AbortController().signal,
    expiresAt: new Date(clock.at + 3_600_000),
    stillAllowed: async () => true,
  });
  return tails;
}

/** As much of an answer as a tail writes to. */
function recordingReply(written: string[]): TailRequest['reply'] {
  const raw = { writableLength: 0, writeHead: () => raw, write: (text: string) => written.push(text), end: () => raw };
  const request = { headers: {} };
  return { raw, request, hijack: () => undefined, getHeaders: () => ({}) } as unknown as TailRequest['reply'];
}
