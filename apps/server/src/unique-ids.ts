import { v7 } from 'uuid';

const POOL_BYTES = 4096;
const PER_ID = 16;

/** UUIDs version 7. Asking the system for sixteen random bytes costs more than the rest of an id, so many are asked for at once. */
export function createIds(randomBytes: (size: number) => Uint8Array): () => string {
  let pool: Uint8Array = new Uint8Array();
  let used = 0;
  return () => {
    if (used + PER_ID > pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += PER_ID;
    return v7({ random: pool.subarray(used - PER_ID, used) });
  };
}
