import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { copyIn, copyOut } from './copy-stream.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase([]);
});
afterAll(() => stores?.close());

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: stores.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

beforeEach(() =>
  withClient((client) => client.query('drop table if exists copied; create table copied (n int primary key)')),
);

async function* rowsOf(...portions: string[]) {
  for (const portion of portions) yield Buffer.from(portion);
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

const end = (pid: number) => withClient((client) => client.query('select pg_terminate_backend($1)', [pid]));

const LOAD = 'copy copied (n) from stdin';

describe('rows that are loaded', () => {
  it('are refused with the error of the database, after which the connection goes on', async () => {
    await withClient(async (client) => {
      await expect(copyIn(client, LOAD, rowsOf('1\n', '2\n', '1\n'))).rejects.toMatchObject({ code: '23505' });
      await expect(copyIn(client, 'copy nowhere from stdin', rowsOf('1\n'))).rejects.toMatchObject({ code: '42P01' });
      await copyIn(client, LOAD, rowsOf('1\n', '2\n'));
      expect((await client.query('select n from copied order by n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
    });
  });

  it('let go of their source when they are refused while it goes on delivering', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) {
          yield Buffer.from('1\n'.repeat(1_000));
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        isClosed = true;
      }
    }
    await withClient(async (client) => {
      await expect(copyIn(client, LOAD, endless())).rejects.toMatchObject({ code: '23505' });
      await client.query('select 1');
    });
    await expect.poll(() => isClosed).toBe(true);
  });

  it('are given up when the connection is lost, also while their source is silent', async () => {
    await withClient(async (client) => {
      const pid = await backendOf(client);
      async function* silent() {
        yield Buffer.from('1\n');
        await end(pid);
        await new Promise(() => undefined);
      }
      await expect(copyIn(client, LOAD, silent())).rejects.toThrow(/terminat/);
      await expect(copyIn(client, LOAD, rowsOf('1\n'))).rejects.toThrow();
    });
  });

  it('fail with the error of their source, and none of them is kept', async () => {
    async function* broken() {
      yield Buffer.from('1\n');
      throw new Error('the disk is gone');
    }
    await withClient(async (client) => {
      await expect(copyIn(client, LOAD, broken())).rejects.toThrow('the disk is gone');
      expect((await client.query('select from copied')).rowCount).toBe(0);
    });
  });
});

describe('rows that are read', () => {
  it('end with the error of the database, after which the connection goes on', async () => {
    await withClient(async (client) => {
      const rows = copyOut(client, 'copy (select 1 / (3 - n) from generate_series(1, 3) n) to stdout');
      await expect(rows.toArray()).rejects.toMatchObject({ code: '22012' });
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });
  });

  it('end with an error when the connection is lost in the middle of them', async () => {
    await withClient(async (client) => {
      const pid = await backendOf(client);
      const rows = copyOut(client, 'copy (select repeat($$x$$, 1000) from generate_series(1, 100000)) to stdout');
      await once(rows, 'readable');
      await end(pid);
      await expect(rows.toArray()).rejects.toThrow(/terminat/);
    });
  });
});
