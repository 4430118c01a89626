/**
 * What a new hash costs. The release before cannot verify the present hashes. So that it can work beside this one and be
 * brought back, installations that have passwords go on making the older ones for a day after the migration that came with
 * the present ones; later sign-ins make up for it. New installations begin with the present ones.
 */
import type { Pool } from 'pg';
import { olderCost, type PasswordCost } from './password-hash.ts';

type Dependencies = { pool: Pool; now: () => Date; cost: PasswordCost };

export function createPasswordCost({ pool, now, cost }: Dependencies): () => Promise<PasswordCost> {
  // Never changes once it is written.
  let presentFrom: Date | undefined;
  return async () => {
    presentFrom ??= await readPresentFrom(pool);
    return now() < presentFrom ? olderCost : cost;
  };
}

async function readPresentFrom(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ at: Date }>('select present_from as at from identity.password_hashing');
  const [row] = rows;
  if (row === undefined) throw new Error('When the present hashes of passwords begin was not written.');
  return row.at;
}
