import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, quietLog, type TestDatabase } from '../../storage/test-database.ts';
import { createAuthCallCounter } from './auth-call-counter.ts';
import { openIdentityPool } from './identity-pool.ts';

const LIMIT = 10;
const secret = 'a secret of the installation';
let stores: TestDatabase;
let pools: Pool[];
let address: string;
let addresses = 0;

beforeAll(async () => {
  stores = await createTestDatabase();
  // As in two processes.
  pools = [1, 2].map(() => openIdentityPool({ url: stores.url, log: quietLog }));
});
afterAll(async () => {
  await Promise.all((pools ?? []).map((pool) => pool.end()));
  await stores?.close();
});
beforeEach(() => {
  address = `2001:db8::${++addresses}`;
});

const process = (n: 0 | 1) => {
  const pool = pools[n];
  if (pool === undefined) throw new Error('There is no such process.');
  return { ...createAuthCallCounter({ pool, secret }), pool };
};
const shift = (by: string) =>
  process(0).pool.query('update identity.auth_call_window set began_at = began_at + $1::interval', [by]);

describe('calls of an address', () => {
  it('are counted once for all processes, also when they come at the same time', async () => {
    const [one, two] = [process(0), process(1)];
    const counted = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : two).count(address, 100)),
    );
    expect(counted.map(({ calls }) => calls).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 1),
    );
    expect((await one.count('192.0.2.1', 100)).calls).toBe(1);
  });

  it('begin anew with the next window, and when the clock was set back', async () => {
    const counter = process(0);
    await counter.count(address, LIMIT);
    const second = await counter.count(address, LIMIT);
    expect(second.calls).toBe(2);
    expect(second.endsInMs).toBeGreaterThan(50_000);
    expect(second.endsInMs).toBeLessThanOrEqual(60_000);
    for (const by of ['-61 seconds', '1 hour']) {
      await shift(by);
      expect((await counter.count(address, LIMIT)).calls).toBe(1);
    }
  });

  it('beyond the limit are refused without asking the database again', async () => {
    const counter = process(0);
    for (let n = 0; n <= LIMIT; n++) await counter.count(address, LIMIT);
    for (let n = 0; n < 50; n++) expect((await counter.count(address, LIMIT)).calls).toBe(LIMIT + 1);
    const other = await process(1).count(address, LIMIT);
    expect(other.calls).toBe(LIMIT + 2);
    expect(other.endsInMs).toBeGreaterThan(0);
  });

  it('are not kept by address, nor for long', async () => {
    const { count, forgetOld, pool } = process(0);
    await count(address, LIMIT);
    const rows = async () => (await pool.query('select * from identity.auth_call_window')).rows;
    expect(JSON.stringify(await rows())).not.toContain(Buffer.from(address).toString('hex'));
    await forgetOld();
    expect(await rows()).not.toEqual([]);
    await shift('-3 minutes');
    await forgetOld();
    expect(await rows()).toEqual([]);
  });
});
