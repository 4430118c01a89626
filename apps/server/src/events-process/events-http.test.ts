import type { Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { EngineAnswer, EngineRequest, EventsEngine } from './events-engine.ts';
import { createEventsHttp } from './events-http.ts';
import { LaneFullError } from './lane.ts';

const answer: EngineAnswer = { bytes: Buffer.from('1\n'), readRows: 1, readBytes: 8, writtenRows: 0, elapsedNs: 5 };
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(run: (request: EngineRequest) => Promise<EngineAnswer>) {
  const engine: EventsEngine = { version: '1', run, close: () => Promise.resolve() };
  const server = createEventsHttp(engine, { user: 'u', password: 'secret' });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return (path: string, init: RequestInit = {}) => {
    const headers = {
      'X-ClickHouse-User': 'u',
      'X-ClickHouse-Key': 'secret',
      ...(init.headers as Record<string, string>),
    };
    return fetch(`http://127.0.0.1:${address.port}${path}`, { method: 'POST', ...init, headers });
  };
}

async function seen(path: string, init: RequestInit): Promise<EngineRequest> {
  let got: EngineRequest | undefined;
  const call = await serve((request) => {
    got = request;
    return Promise.resolve(answer);
  });
  const response = await call(path, init);
  if (got === undefined) throw new Error(`refused: ${response.status} ${await response.text()}`);
  return got;
}

it('takes a statement from the body, settings and parameters from the address', async () => {
  const request = await seen('/?database=d&param_x=a%5Ctb&max_threads=1&query_id=q&default_format=CSV', {
    body: 'select {x:String}',
  });
  expect(request).toMatchObject({ sql: 'select {x:String}', data: undefined, database: 'd', format: 'CSV' });
  expect([...request.settings]).toEqual([['max_threads', '1']]);
  expect([...request.parameters]).toEqual([['x', 'a\\tb']]);
});

it('keeps the rows of an insert apart from its statement, packed or not', async () => {
  const rows = '{"a":1}\n{"a":";"}\n';
  const apart = await seen(`/?query=${encodeURIComponent('insert into t format JSONEachRow')}`, {
    body: gzipSync(rows),
    headers: { 'Content-Encoding': 'gzip' },
  });
  expect(apart.data?.toString()).toBe(rows);
  const joined = await seen('/', { body: `INSERT INTO t FORMAT JSONEachRow\n${rows}` });
  expect(joined.sql.trim()).toBe('INSERT INTO t FORMAT JSONEachRow');
  expect(joined.data?.toString()).toBe(rows);
});

it('answers with the result, its summary and a query id', async () => {
  const call = await serve(() => Promise.resolve(answer));
  const response = await call('/?query_id=mine', { body: 'select 1' });
  expect(await response.text()).toBe('1\n');
  expect(response.headers.get('x-clickhouse-query-id')).toBe('mine');
  expect(JSON.parse(response.headers.get('x-clickhouse-summary') ?? '')).toMatchObject({
    read_rows: '1',
    elapsed_ns: '5',
  });
});

it('hands an error of the engine on with its code', async () => {
  const call = await serve(() =>
    Promise.reject(new Error('Query failed: Code: 60. DB::Exception: No table t. (UNKNOWN_TABLE)')),
  );
  const response = await call('/', { body: 'select 1' });
  expect([response.status, response.headers.get('x-clickhouse-exception-code')]).toEqual([404, '60']);
  expect(await response.text()).toBe('Code: 60. DB::Exception: No table t. (UNKNOWN_TABLE)\n');
});

it('answers 503 with a time to come back when too many wait', async () => {
  const call = await serve(() => Promise.reject(new LaneFullError(256)));
  const response = await call('/', { body: 'select 1' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(response.headers.get('x-clickhouse-exception-code')).toBe('202');
});

it('refuses a wrong password, a second statement and a broken packing before the engine', async () => {
  const call = await serve(() => Promise.reject(new Error('reached the engine')));
  const stranger = await call('/', { body: 'select 1', headers: { 'X-ClickHouse-Key': 'guess' } });
  expect(stranger.headers.get('x-clickhouse-exception-code')).toBe('516');
  const two = await call('/', { body: 'select 1; drop table t' });
  expect(two.headers.get('x-clickhouse-exception-code')).toBe('62');
  const broken = await call('/', { body: 'not gzip', headers: { 'Content-Encoding': 'gzip' } });
  expect([broken.status, await broken.text()]).toEqual([500, expect.not.stringContaining('reached the engine')]);
});

it('answers a ping while the engine is busy, without a password', async () => {
  const call = await serve(() => new Promise<never>(() => undefined));
  const stuck = new AbortController();
  const busy = call('/', { body: 'select 1', signal: stuck.signal }).catch(() => 'given up');
  expect(await (await call('/ping', { method: 'GET' })).text()).toBe('Ok.\n');
  stuck.abort();
  expect(await busy).toBe('given up');
});

it('tells the engine when the client goes away', async () => {
  let stopped: () => void = () => undefined;
  let began: () => void = () => undefined;
  const stop = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const start = new Promise<void>((resolve) => {
    began = resolve;
  });
  const call = await serve(({ signal }) => {
    signal.addEventListener('abort', () => stopped());
    began();
    return new Promise<never>(() => undefined);
  });
  const client = new AbortController();
  const request = call('/', { body: 'select 1', signal: client.signal }).catch(() => undefined);
  await start;
  client.abort();
  await stop;
  await request;
});
