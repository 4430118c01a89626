import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Tx } from './schema.ts';

/**
 * Makes a call within a transaction and resolves once the call waits for that: what it has read by then is not what it finds
 * afterwards. Its answer comes when the transaction has ended.
 */
export async function calledWithin<T>(tx: Tx, call: () => Promise<T>): Promise<{ answer: Promise<T> }> {
  const answer = call();
  const isWaitedFor = async () => {
    const { rows } = await sql<{ yes: boolean }>`
      select exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))) as yes`.execute(
      tx,
    );
    return rows[0]?.yes;
  };
  await expect.poll(isWaitedFor).toBe(true);
  return { answer };
}
