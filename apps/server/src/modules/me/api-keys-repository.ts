/** Keys belong to a user and cross tenants, so these run in system transactions and name the user themselves. */
import { type Insertable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { ApiKeyRow } from './api-keys-port.ts';
import type { ApiKeyTable } from './me-tables.ts';

const columns = [
  'id',
  'tenant_id',
  'user_id',
  'name',
  'role',
  'hint',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const;

export async function insertApiKey(tx: Tx, row: Insertable<ApiKeyTable>): Promise<void> {
  await tx.insertInto('api_key').values(row).execute();
}

export async function listApiKeys(tx: Tx, userId: string): Promise<ApiKeyRow[]> {
  return await tx
    .selectFrom('api_key')
    .select(columns)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Held until the transaction ends: keys of a person are made one after the other. */
export async function lockApiKeys(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`api-keys/${userId}`}, 0))`.execute(tx);
}

export async function findApiKey(
  tx: Tx,
  { id, userId }: { id: string; userId: string },
): Promise<(ApiKeyRow & { key_hash: string }) | undefined> {
  return await tx
    .selectFrom('api_key')
    .select([...columns, 'key_hash'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function countApiKeys(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findApiKeyByHash(tx: Tx, keyHash: string): Promise<ApiKeyRow | undefined> {
  return await tx.selectFrom('api_key').select(columns).where('key_hash', '=', keyHash).executeTakeFirst();
}

export async function listLiveHashes(tx: Tx, hashes: readonly string[], at: Date): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('api_key')
    .select('key_hash')
    .where('key_hash', '=', sql<string>`any(${[...hashes]}::text[])`)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .execute();
  return new Set(rows.map(({ key_hash }) => key_hash));
}

/** The revoked key, or undefined when there was nothing to revoke. */
export async function revokeApiKey(
  tx: Tx,
  key: { id: string; userId: string; at: Date },
): Promise<ApiKeyRow | undefined> {
  return await tx
    .updateTable('api_key')
    .set({ revoked_at: key.at })
    .where('id', '=', key.id)
    .where('user_id', '=', key.userId)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
}

/** The keys that were revoked; of all tenants unless some are given. */
export async function revokeApiKeysOf(
  tx: Tx,
  keys: { userId: string; tenantIds: readonly string[] | undefined; at: Date },
): Promise<ApiKeyRow[]> {
  const { tenantIds = [] } = keys;
  return await tx
    .updateTable('api_key')
    .set({ revoked_at: keys.at })
    .where('user_id', '=', keys.userId)
    .where('revoked_at', 'is', null)
    .$if(keys.tenantIds !== undefined, (query) =>
      query.where('tenant_id', '=', sql<string>`any(${[...tenantIds]}::uuid[])`),
    )
    .returning(columns)
    .execute();
}

export async function touchApiKey(tx: Tx, key: { id: string; at: Date; olderThan: Date }): Promise<void> {
  await tx
    .updateTable('api_key')
    .set({ last_used_at: key.at })
    .where('id', '=', key.id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', key.olderThan)]))
    .execute();
}
