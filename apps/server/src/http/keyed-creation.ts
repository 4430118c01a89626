import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../storage/schema.ts';
import type { TenantScope } from '../tenant-scope.ts';
import type { TenantContext } from './handlers.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

/** The id of something new; `hash` is that of the request where it carried an Idempotency-Key, which made the id. */
export type KeyedCreation = { readonly id: string; readonly hash: string | null };

/** The same call again makes the same thing: its id comes from the caller's key, and the hash tells another call. */
export function keyedCreation(
  kind: string,
  { raw, caller }: TenantContext,
  { scope, body, ids }: { scope: TenantScope; body: unknown; ids: () => string },
): KeyedCreation {
  const key = idempotencyKeyOf(raw.request.headers);
  if (key === undefined) return { id: ids(), hash: null };
  return { id: keyedId([kind, scope.tenantId, caller.userId, key]), hash: hashOf(body) };
}

/** An id that the same parts always make. */
export function keyedId(parts: readonly string[]): string {
  const hex = hashOf(parts);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Held until the transaction ends: of equal requests at once, the others find what the first did. `id` is that of its key. */
export async function lockRequest(tx: Tx, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`request/${id}`}, 0))`.execute(tx);
}
