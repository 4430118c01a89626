import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventsStore, EventsError, type EventsStore, type EventsStoreOptions } from './events-store.ts';
import { createTestDatabase, quietLog, type TestDatabase } from './test-database.ts';
import { eventRow } from './test-events.ts';

const ACME = randomUUID();
const GLOBEX = randomUUID();
let stores: TestDatabase;
let store: EventsStore;

beforeAll(async () => {
  stores = await createTestDatabase([]);
  store = stores.events;
  await store.insert([
    eventRow({
      tenant: ACME,
      message: 'one',
      fields: { pid: 7, deep: { name: "O'Neil\t\\" } },
      time: 1_700_000_000_123,
    }),
    eventRow({ tenant: ACME, message: 'two' }),
    eventRow({ tenant: GLOBEX, message: 'secret of globex' }),
  ]);
});
afterAll(() => stores.close());

const messages = async (sql: string, params: Record<string, unknown> = {}) => {
  const rows = await store.query<{ message: string }>({ tenant: ACME, sql, params });
  return rows.map((row) => row.message).sort();
};

describe('stored events', () => {
  it('come back with every field as it was typed', async () => {
    const [row] = await store.query({
      tenant: ACME,
      sql: `select toUnixTimestamp64Milli(time) as time, fields.pid::Int64 as pid, fields.deep.name::String as name from events where message = 'one'`,
    });
    expect(row).toEqual({ time: 1_700_000_000_123, pid: 7, name: "O'Neil\t\\" });
  });

  it('are stored once when a batch is sent again under its token', async () => {
    const rows = [eventRow({ tenant: ACME, message: 'again' }), eventRow({ tenant: ACME, message: 'again' })];
    const token = randomUUID();
    for (let time = 0; time < 3; time++) await store.insert(rows, { token });
    expect(await messages(`select message from events where message = 'again'`)).toEqual(['again', 'again']);
  });

  it('are stored once when they are sent again without one, and again when they were received again', async () => {
    const received_at = Date.now();
    const rows = [1, 2].map(() => eventRow({ tenant: ACME, message: 'repeated', received_at }));
    for (let time = 0; time < 3; time++) await store.insert(rows);
    expect(await messages(`select message from events where message = 'repeated'`)).toHaveLength(2);
    await store.insert(rows.map((row) => ({ ...row, received_at: received_at + 1 })));
    expect(await messages(`select message from events where message = 'repeated'`)).toHaveLength(4);
  });

  it('say when they were stored, however long ago they were received', async () => {
    const before = Date.now();
    await store.insert([eventRow({ tenant: ACME, message: 'from a spool', received_at: before - 3_600_000 })]);
    const [row] = await store.query<{ at: number }>({
      tenant: ACME,
      sql: `select toUnixTimestamp64Milli(stored_at) as at from events where message = 'from a spool'`,
    });
    expect(row?.at).toBeGreaterThanOrEqual(before);
    expect(row?.at).toBeLessThanOrEqual(Date.now());
  });

  it('are refused as a whole when one row does not fit the table', async () => {
    const broken = { ...eventRow({ tenant: ACME, message: 'half' }), id: 'not a uuid' };
    await expect(store.insert([eventRow({ tenant: ACME, message: 'half' }), broken])).rejects.toMatchObject({
      code: 'EVENTS_QUERY_FAILED',
    });
    expect(await messages(`select message from events where message = 'half'`)).toEqual([]);
  });

  it('may lie in any number of months', async () => {
    const months = Array.from({ length: 130 }, (_, n) =>
      eventRow({ tenant: ACME, message: 'month', time: Date.UTC(2015, n, 1), received_at: Date.now() }),
    );
    await store.insert(months);
    expect(await messages(`select message from events where message = 'month'`)).toHaveLength(130);
  });

  it('go when their tenant no longer keeps them, by the days each was stored with', async () => {
    const DAY_MS = 86_400_000;
    const received_at = Date.now() - 40 * DAY_MS;
    const old = { tenant: ACME, time: received_at, received_at };
    await store.insert([
      eventRow({ ...old, message: 'kept for ninety days', retention_days: 90 }),
      eventRow({ ...old, message: 'kept for thirty days', retention_days: 30 }),
    ]);
    const { url, user: username, password, placement } = stores.eventsConnection;
    const unfenced = createClient({ url, username, password, database: placement.database, request_timeout: 120_000 });
    await unfenced.command({ query: 'optimize table events final' });
    await unfenced.close();
    expect(await messages(`select message from events where message like 'kept for %'`)).toEqual([
      'kept for ninety days',
    ]);
  });

  it('are found by a word through the text index', async () => {
    expect(await messages(`select message from events where hasToken(message, 'globex')`)).toEqual([]);
    expect(await messages(`select message from events where hasToken(message, 'two')`)).toEqual(['two']);
  });
});

describe('the fence around a tenant', () => {
  const attempts = [
    'select message from events',
    'select message from events where 1 or 1',
    `select message from events where tenant != {tenant:UUID}`,
    'select e.message as message from events as e',
    'select message from (select * from events union all select * from events)',
    'select b.message as message from events a join events b on a.integration = b.integration',
    `select message from merge(currentDatabase(), '^events$')`,
    `select message from \`merge\` /* x */ (currentDatabase(), '^events$')`,
    `select message from events where id in (select id from Merge(currentDatabase(), 'events'))`,
    'select message from view(select * from events)',
  ];

  it.each(attempts)('holds for %s', async (sql) => {
    const rows = await store.query<{ message: string }>({ tenant: ACME, sql }).catch(() => []);
    expect(rows.map((row) => row.message)).not.toContain('secret of globex');
  });

  it('holds with the name of the database before the table', async () => {
    const { database } = stores.eventsConnection.placement;
    expect(await messages(`select message from ${database}.events`)).not.toContain('secret of globex');
  });

  it.each([
    `select * from mergeTreeIndex(currentDatabase(), 'events')`,
    'select * from system.parts',
    'select * from SYSTEM . processes',
    'select * from `system`.`processes`',
    'select * from information_schema.tables',
  ])('refuses %s', async (sql) => {
    await expect(store.query({ tenant: ACME, sql })).rejects.toMatchObject({ code: 'EVENTS_QUERY_FAILED' });
  });

  it('lets a field be called like a system table', async () => {
    const sql = `select message from events where fields.system.name is null and message = 'one' and 'system.parts' != ''`;
    expect(await messages(sql)).toEqual(['one']);
  });

  it('refuses anything that is not a UUID as tenant', async () => {
    await expect(store.query({ tenant: "' or 1", sql: 'select 1' })).rejects.toThrow('must be a UUID');
  });
});

describe('a query', () => {
  it.each([
    `insert into events (message) values ('x')`,
    'alter table events delete where 1',
    'drop table events',
    'truncate table events',
    `select * from url('http://127.0.0.1:9/', 'CSV', 'a String')`,
    `select * from file('/etc/passwd', 'LineAsString', 'a String')`,
    `select * from postgresql('127.0.0.1:5432', 'd', 't', 'u', 'p')`,
    `select 1 settings readonly = 0`,
    `select 1 settings additional_table_filters = {}`,
    'set readonly = 0',
    'select 1; drop table events',
  ])('cannot be %s', async (sql) => {
    await expect(store.query({ tenant: ACME, sql })).rejects.toMatchObject({ code: 'EVENTS_QUERY_FAILED' });
    expect(await messages(`select message from events where message = 'one'`)).toEqual(['one']);
  });

  it('binds parameters, whatever they hold', async () => {
    const nasty = `'; drop table events; -- \\' {x:String} \t\n\u0000 ünï`;
    const [row] = await store.query({
      tenant: ACME,
      sql: 'select {text:String} as text, {list:Array(String)} as list, {n:UInt32} as n, {none:Nullable(String)} as none',
      params: { text: nasty, list: ["a'b", 'c\\d'], n: 42, none: null },
    });
    expect(row).toEqual({ text: nasty, list: ["a'b", 'c\\d'], n: 42, none: null });
  });

  it('never sees the parameters of another one that runs at the same time', async () => {
    const values = Array.from({ length: 50 }, (_, n) => `value-${n}`);
    const seen = await Promise.all(
      values.map(async (value) => {
        const [row] = await store.query<{ v: string }>({
          tenant: ACME,
          sql: 'select {v:String} as v',
          params: { v: value },
        });
        return row?.v;
      }),
    );
    expect(seen).toEqual(values);
    await expect(store.query({ tenant: ACME, sql: 'select {v:String}' })).rejects.toMatchObject({
      code: 'EVENTS_QUERY_FAILED',
    });
  });

  it('ends when its time is up', async () => {
    const endless = store.query({
      tenant: ACME,
      sql: 'select count() from numbers(1000000000000) where sipHash64(number) = 1',
      timeoutMs: 1_000,
    });
    await expect(endless).rejects.toMatchObject({ code: 'EVENTS_QUERY_TOO_EXPENSIVE' });
  });

  it('ends with the reason of whoever gives up, and not as if the store were away', async () => {
    const left = new AbortController();
    const endless = store.query({
      ...{ tenant: ACME, signal: left.signal },
      sql: 'select count() from numbers(1000000000000) where sipHash64(number) = 1',
    });
    setTimeout(() => left.abort(), 100);
    await expect(endless).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('ends when it needs too much memory', async () => {
    const greedy = store.query({ tenant: ACME, sql: 'select length(groupArray(number)) from numbers(300000000)' });
    await expect(greedy).rejects.toMatchObject({ code: 'EVENTS_QUERY_TOO_EXPENSIVE' });
  });
});

describe('a store that does not answer', () => {
  it('is reported as unavailable', async () => {
    const port = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
      });
    });
    const gone = createEventsStore({ url: `http://127.0.0.1:${port}`, user: 'u', password: 'p', log: quietLog });
    await expect(gone.ping()).rejects.toMatchObject({ code: 'EVENTS_UNAVAILABLE' });
    await expect(gone.insert([eventRow({ tenant: ACME })])).rejects.toMatchObject({
      ...{ code: 'EVENTS_UNAVAILABLE', underWayMs: undefined },
    });
    await gone.close();
  });
});

describe('an insert that fails', () => {
  const refuse = (code: number, type: string) => (_request: IncomingMessage, response: ServerResponse) =>
    response
      .writeHead(500, { 'X-ClickHouse-Exception-Code': String(code) })
      .end(`Code: ${code}. DB::Exception: not now. (${type})\n`);
  const cut = (request: IncomingMessage) => request.socket.destroy();
  const outside = { isOwnProcess: false };
  const spread = { placement: { database: 'airdeck', cluster: 'shards' } };
  const own = { isOwnProcess: true };

  /** When the store has all of it. */
  async function failureOf(
    respond: (request: IncomingMessage, response: ServerResponse) => unknown,
    options: Pick<EventsStoreOptions, 'isOwnProcess' | 'placement'>,
  ): Promise<EventsError> {
    const server = createServer((request, response) => {
      request.resume().once('end', () => respond(request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const failing = createEventsStore({
      ...{ url: `http://127.0.0.1:${port}`, user: 'u', password: 'p', log: quietLog },
      ...options,
    });
    const error = await failing.insert([eventRow({ tenant: ACME })]).catch((failure: unknown) => failure);
    await failing.close();
    server.close();
    if (!(error instanceof EventsError)) throw new Error('The insert did not fail.');
    return error;
  }

  it.each([
    ['its connection is cut', cut, outside],
    ['somebody between it and the store answers', (_: unknown, to: ServerResponse) => to.writeHead(502).end('no'), own],
    ['a server of the store says that it does not know', refuse(319, 'UNKNOWN_STATUS_OF_INSERT'), outside],
    ['a shard of the store took too long', refuse(159, 'TIMEOUT_EXCEEDED'), spread],
  ])('may still be stored when %s', async (_name, respond, options) => {
    expect((await failureOf(respond, options)).underWayMs).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['a store that is a process of ours ended with its connection', cut, own],
    ['the store itself ended it for its time', refuse(159, 'TIMEOUT_EXCEEDED'), outside],
    ['the store has too much to do', refuse(202, 'TOO_MANY_SIMULTANEOUS_QUERIES'), outside],
    ['the store has no memory for it', refuse(241, 'MEMORY_LIMIT_EXCEEDED'), outside],
    ['the store has no space for it', refuse(243, 'NOT_ENOUGH_SPACE'), outside],
  ])('is over when %s', async (_name, respond, options) => {
    expect((await failureOf(respond, options)).underWayMs).toBeUndefined();
  });
});

describe('the schema', () => {
  it('may be applied again', async () => {
    await store.prepare();
    expect(await messages(`select message from events where message = 'one'`)).toEqual(['one']);
  });
});
