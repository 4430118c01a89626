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

/** The lowest id (UUID version 7) that could be made at this time: rows are found by when they were made without an index of it. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
