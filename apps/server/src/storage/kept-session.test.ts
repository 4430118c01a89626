import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase([]);
});
afterAll(() => stores?.close());

async function asOwner<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: stores.url });
  await client.connect();
  const { rows } = await client.query<Row>(text, values);
  await client.end();
  return rows;
}

const holders = async () =>
  (
    await asOwner<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and classid = 42
         and database = (select oid from pg_database where datname = current_database())`,
    )
  ).map(({ pid }) => pid);

describe('a session that shows that its process lives', () => {
  it('is opened again with its lock when it is lost, and is gone for good when it is ended', async () => {
    const opened: number[] = [];
    const end = await stores.database.keepSession(async (session) => {
      await session.query('select pg_advisory_lock_shared($1, $2)', [42, 1]);
      const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
      opened.push(...rows.map(({ pid }) => pid));
    });
    expect(await holders()).toEqual(opened);
    for (const lost of [1, 2]) {
      await asOwner('select pg_terminate_backend($1)', [opened.at(-1)]);
      await expect.poll(() => opened.length).toBe(lost + 1);
    }
    expect(await holders()).toEqual(opened.slice(-1));
    await end();
    await expect.poll(holders).toEqual([]);
    expect(opened).toHaveLength(3);
  });

  it('is refused at once when the first cannot be opened, so that nothing counts on it', async () => {
    const failing = stores.database.keepSession(async (session) => await session.query('select 1 / 0'));
    await expect(failing).rejects.toThrow('division by zero');
  });
});
