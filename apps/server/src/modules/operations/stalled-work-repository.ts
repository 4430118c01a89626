import type { Tx } from '../../storage/schema.ts';

/** Whether it was told that work stands still, and not yet that it is taken up again. */
export async function isStallTold(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('stalled_work').select('since').executeTakeFirst()) !== undefined;
}

/** False where another process was first; it waits for one that is about to be. */
export async function beginStall(tx: Tx, since: Date): Promise<boolean> {
  const row = await tx
    .insertInto('stalled_work')
    .values({ since })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('since')
    .executeTakeFirst();
  return row !== undefined;
}

/** Since when it stood still; undefined where another process was first. */
export async function endStall(tx: Tx): Promise<Date | undefined> {
  return (await tx.deleteFrom('stalled_work').returning('since').executeTakeFirst())?.since;
}
