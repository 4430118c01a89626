import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SearchContext } from '@airdeck/connector-kit/definition';
import { createEgress } from '@airdeck/connector-kit/egress';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { actionContext, failureOf, sandboxKeys, startVendorFixture } from '../sandbox-fixture.ts';
import { graylog } from './graylog.ts';
import { searchLive } from './search-live.ts';
import { searchMessages } from './search-messages.ts';

describe('what Graylog found leads to its own page of it', () => {
  const messages = [
    { index: 'graylog_0', message: { _id: 'm/1', timestamp: '2026-11-21T11:00:00.000Z' } },
    { message: { _id: 'm-2', timestamp: '2026-11-21T10:00:00.000Z' } },
  ];
  const linksOf = async (base_url: string) => {
    const vendor = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ messages }));
    }).listen(0, '127.0.0.1');
    await once(vendor, 'listening');
    const { port } = vendor.address() as AddressInfo;
    const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }] });
    const config = { base_url: base_url.replace('PORT', String(port)), api_token: 'token' };
    const asked = { query: '*', start: new Date(0), end: new Date('2026-11-22T00:00:00.000Z'), limit: 10 };
    const hits = await searchLive({ ...actionContext(egress, { config }), ...asked });
    await egress.close();
    vendor.close();
    return hits.map(({ link }) => link?.replace(String(port), 'PORT'));
  };

  it('where its address can be known from that of its API', async () => {
    expect(await linksOf('http://127.0.0.1:PORT/logs/api/')).toEqual([
      'http://127.0.0.1:PORT/logs/messages/graylog_0/m%2F1',
      undefined,
    ]);
    expect(await linksOf('http://127.0.0.1:PORT/behind-a-proxy')).toEqual([undefined, undefined]);
  });
});

describe('a live search of Graylog against the sandbox', () => {
  const end = new Date();
  const start = new Date(end.getTime() - 3_600_000);
  let fixture: Awaited<ReturnType<typeof startVendorFixture>>;
  beforeAll(async () => {
    fixture = await startVendorFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.sandbox.reset());

  const at = (secondsBeforeEnd: number) => new Date(end.getTime() - secondsBeforeEnd * 1000).toISOString();
  const add = (list: readonly JsonObject[]) =>
    fetch(`${fixture.sandbox.url}/graylog/sandbox/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(list),
    });
  const context = (asked: Partial<SearchContext> = {}, token: string = sandboxKeys.graylog): SearchContext => ({
    ...actionContext(fixture.egress, { config: { base_url: `${fixture.sandbox.url}/graylog`, api_token: token } }),
    now: () => end,
    query: '*',
    start,
    end,
    limit: 100,
    ...asked,
  });

  it('finds messages of the range with all of their fields, newest first, as many as asked for', async () => {
    await add([
      { _id: 'm-1', timestamp: at(30), source: 'dc-1', message: 'needle one', EventID: 4625 },
      { _id: 'm-2', timestamp: at(20), source: 'dc-1', message: 'needle two' },
      { _id: 'm-3', timestamp: at(10), source: 'dc-2', message: 'needle three' },
      { _id: 'm-4', timestamp: at(0), source: 'dc-1', message: 'needle on the end' },
      { _id: 'm-5', timestamp: at(7_200), source: 'dc-1', message: 'needle long ago' },
    ]);
    const ids = async (asked: Partial<SearchContext>) => (await searchLive(context(asked))).map(({ id }) => id);
    expect(await ids({ query: 'needle' })).toEqual(['m-3', 'm-2', 'm-1']);
    expect(await ids({ query: 'source:"dc-1" AND needle' })).toEqual(['m-2', 'm-1']);
    expect(await ids({ query: 'needle', limit: 2 })).toEqual(['m-3', 'm-2']);
    const [, , oldest] = await searchLive(context({ query: 'needle' }));
    expect(oldest?.record).toMatchObject({ EventID: 4625, message: 'needle one' });
  });

  it('keeps to streams that are named in the query', async () => {
    await add([
      { _id: 'm-1', timestamp: at(30), message: 'needle one', streams: ['a1'] },
      { _id: 'm-2', timestamp: at(20), message: 'needle two', streams: ['b2', 'c3'] },
      { _id: 'm-3', timestamp: at(10), message: 'needle three', streams: ['d4'] },
    ]);
    const ids = async (query: string) => (await searchLive(context({ query }))).map(({ id }) => id);
    expect(await ids('(needle) AND streams:(a1 OR c3)')).toEqual(['m-2', 'm-1']);
    expect(await ids('(source:x AND needle) AND streams:(d4)')).toEqual([]);
    expect(await failureOf(ids('(needle AND streams:(a1)'))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  it('compares times as its index writes them, and is refused in another form', async () => {
    await add([10, 20, 30].map((seconds) => ({ _id: `m-${seconds}`, timestamp: at(seconds), message: 'needle' })));
    const ids = async (query: string) => (await searchLive(context({ query }))).map(({ id }) => id);
    const written = (seconds: number) => at(seconds).replace('T', ' ').replace('Z', '');
    expect(await ids(`needle AND timestamp:["${written(25)}" TO *}`)).toEqual(['m-10', 'm-20']);
    expect(await ids(`timestamp:["${written(30)}" TO "${written(20)}"} AND needle`)).toEqual(['m-30']);
    expect(await failureOf(ids(`timestamp:["${at(25)}" TO *}`))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  it('says what Graylog refuses', async () => {
    expect(await failureOf(searchLive(context({ query: 'user:"open' })))).toMatchObject({
      code: 'VENDOR_REJECTED',
      message: expect.stringContaining('Cannot parse'),
    });
    expect(await failureOf(searchLive(context({}, 'wrong')))).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED' });
  });

  const failing = (status: number, message: string) => {
    const answer = { status, headers: {}, text: JSON.stringify({ type: 'ApiError', message }), retryAfterS: undefined };
    return { ...context(), idempotencyKey: 'key', egress: { request: async () => answer } };
  };

  it.each([
    'Unable to perform search query: Failed to parse query [connect AND (]',
    'Unable to perform search query: Elasticsearch exception [type=query_shard_exception, reason=field expansion]',
    "Search type returned error: parse_exception: Cannot parse 'a AND (': Encountered <EOF>",
    'Search type returned error: OpenSearch exception [type=parsing_exception, reason=unknown query]',
    'Search type returned error: maxClauseCount is set to 1024',
    'Search type returned error: too_many_clauses: too many boolean clauses',
    'Search type returned error: too_many_nested_clauses: Query contains too many nested clauses',
    'Search out of allowed time range limit',
    'Result window is too large, [from + size] must be less than or equal to: [10000]',
  ])('says that a query is refused, in either search: %s', async (words) => {
    const refused = { code: 'VENDOR_REJECTED' };
    expect(await failureOf(searchLive(failing(500, `Failed to obtain results: [${words}]`)))).toMatchObject(refused);
    const asked = { ...failing(400, `Failed to obtain results. ${words}`), input: { query: 'a' } };
    expect(await failureOf(searchMessages.run(asked))).toMatchObject(refused);
  });

  it.each([
    'Unable to perform search query: Connection refused',
    'Search type returned error: 30,000 milliseconds timeout on connection',
    'Unable to perform search query: all shards failed',
    'Search type returned error: es_rejected_execution_exception: rejected execution of coordinating operation',
    'Search type returned error: 429 Too Many Requests',
    'Unable to perform search query: search-1:9200 failed to respond',
    'Unable to perform search query: Request cannot be executed; I/O reactor status: STOPPED',
    'Unable to perform search query: search-1: Name or service not known',
    'Search type returned error: circuit_breaking_exception: [parent] Data too large',
    'Unable to perform search query: Unable to parse response body for Response{HTTP/1.1 503 Service Unavailable}',
    'Words of a version to come',
  ])('does not take an index that is away for a refusal, in either search: %s', async (words) => {
    const away = { code: 'VENDOR_UNAVAILABLE' };
    expect(await failureOf(searchLive(failing(500, `Failed to obtain results: [${words}]`)))).toMatchObject(away);
    const asked = { ...failing(400, `Failed to obtain results. ${words}`), input: { query: 'a' } };
    expect(await failureOf(searchMessages.run(asked))).toMatchObject(away);
  });

  it('keeps to the status where Graylog does not speak of results', async () => {
    const message = 'java.lang.NullPointerException';
    expect(await failureOf(searchLive(failing(500, message)))).toMatchObject({ code: 'VENDOR_UNAVAILABLE' });
    expect(await failureOf(searchLive(failing(400, message)))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  it('is what the definition declares', () => {
    expect(graylog.capabilities).toContain('search');
  });
});
