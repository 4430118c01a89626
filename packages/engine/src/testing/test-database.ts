import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { KeepSession, Listen, SqlClient, SqlPool } from '../interfaces.ts';
import { engineMigrations } from '../schema.ts';

/** The ports over plain `pg`, on a database of its own. */
export interface TestDatabase {
  readonly url: string;
  readonly pool: SqlPool;
  readonly listen: Listen;
  readonly keepSession: KeepSession;
  /** Outside of any transaction. */
  readonly sql: SqlClient;
  /** Cuts every connection of this handle, as a crash would; the handle is of no use afterwards. */
  sever(): Promise<void>;
  close(): Promise<void>;
}

export type TestCluster = { readonly database: TestDatabase; open(): TestDatabase; drop(): Promise<void> };

/** Creates a migrated database on the server of `serverUrl`. `open` gives another handle on it: another process's view. */
export async function createTestDatabase(serverUrl: string): Promise<TestCluster> {
  const name = `engine_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const opened: TestDatabase[] = [];
  const open = () => {
    const handle = openTestDatabase(url.href);
    opened.push(handle);
    return handle;
  };
  const database = open();
  for (const { sql } of engineMigrations) await database.pool.transaction((tx) => tx.query(sql));
  async function drop(): Promise<void> {
    await Promise.all(opened.map((each) => each.close()));
    await asAdmin(serverUrl, `drop database ${name} with (force)`);
  }
  return { database, open, drop };
}

async function asAdmin(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Opens a migrated database. Few connections: the suite's server has about forty for all its test files. */
export function openTestDatabase(url: string, connections = 4): TestDatabase {
  const name = `engine-${randomUUID()}`;
  const connection = { connectionString: url, application_name: name };
  const pool = new pg.Pool({ ...connection, max: connections, idleTimeoutMillis: 1_000 });
  const clients = new Set<pg.Client>();
  pool.on('error', ignore);
  // One that is thrown away may still be told why its server went.
  pool.on('connect', (client) => client.on('error', ignore));

  let severed = false;

  async function transaction<T>(fn: (tx: SqlClient) => Promise<T>): Promise<T> {
    if (severed) throw new Error('The connections of this handle were cut.');
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await fn(sqlClient(client));
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      const broken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      client.release(broken);
      throw error;
    }
  }

  async function listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>> {
    const client = new pg.Client(connection);
    client.on('error', ignore);
    client.on('notification', (message) => handler(message.payload ?? ''));
    await client.connect();
    await client.query(`listen ${channel}`);
    clients.add(client);
    return async () => {
      clients.delete(client);
      await client.end();
    };
  }

  async function keepSession(onOpen: (session: SqlClient) => Promise<unknown>): Promise<() => Promise<void>> {
    let over = false;
    let current: pg.Client | undefined;
    async function open(): Promise<void> {
      const client = new pg.Client(connection);
      client.on('error', ignore);
      await client.connect();
      await onOpen(sqlClient(client));
      current = client;
      client.once('end', () => {
        clients.delete(client);
        if (!over && !severed && !closed) void openAgain();
      });
      clients.add(client);
    }
    async function openAgain(): Promise<void> {
      while (!over && !severed && !closed && !(await open().then(() => true, ignore))) await sleep(20);
    }
    await open();
    return async () => {
      over = true;
      await current?.end().catch(ignore);
    };
  }

  let closed: Promise<void> | undefined;
  async function end(): Promise<void> {
    await Promise.all([...clients].map((client) => client.end().catch(ignore)));
    await pool.end();
  }
  function close(): Promise<void> {
    closed ??= end();
    return closed;
  }

  return {
    url,
    pool: { transaction },
    listen,
    keepSession,
    sql: sqlClient(pool),
    async sever() {
      severed = true;
      const killer = new pg.Client({ connectionString: url });
      await killer.connect();
      await killer.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name]);
      await killer.end();
    },
    close,
  };
}

/** A lost connection is reported to whoever runs a query on it; the event itself says nothing more. */
const ignore = (): undefined => undefined;

function sqlClient(client: pg.Pool | pg.PoolClient | pg.Client): SqlClient {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      // The engine's texts are a bounded set, so each is parsed and planned once per connection.
      const { rows, rowCount } = await client.query(values ? { name: nameOf(text), text, values: [...values] } : text);
      return { rows: rows as Row[], rowCount };
    },
  };
}

function nameOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
