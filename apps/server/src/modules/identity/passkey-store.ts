import { serverLimits } from '@airdeck/contracts/server-limits';
import type { Pool } from 'pg';
import { AppError } from '../../http/app-error.ts';
import type { SqlClient } from '../../storage/database.ts';

const TIDIED_AT_ONCE = 50;

export type Passkey = {
  id: string;
  identityUserId: string;
  externalId: string;
  credentialId: string;
  publicKey: Buffer;
  transports: string[];
};

/** What the account's list shows. */
export type ListedPasskey = { id: string; name: string; created_at: string; last_used_at: string | null };

export type NewPasskey = {
  id: string;
  identityUserId: string;
  credentialId: string;
  publicKey: Uint8Array;
  signCount: number;
  transports: readonly string[];
  name: string;
  createdAt: Date;
};

export type PasskeyChallenge = { id: string; challenge: string; identityUserId: string | null; expiresAt: Date };

export async function insertChallenge(pool: Pool, row: PasskeyChallenge, now: Date): Promise<void> {
  // Whoever asks for a challenge clears away a few that were never used: anybody may ask.
  await pool.query(
    `with forgotten as (
       delete from identity.passkey_challenge where id in (
         select id from identity.passkey_challenge where expires_at < $5 limit ${TIDIED_AT_ONCE} for update skip locked))
     insert into identity.passkey_challenge (id, challenge, user_id, expires_at) values ($1, $2, $3, $4)`,
    [row.id, row.challenge, row.identityUserId, row.expiresAt, now],
  );
}

/** Takes the challenge away, so that it answers once; null as user for those of a sign-in. */
export async function takeChallenge(
  pool: Pool,
  of: { id: string; identityUserId: string | null },
  now: Date,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ challenge: string; live: boolean }>(
    `delete from identity.passkey_challenge where id = $1 and user_id is not distinct from $2
     returning challenge, expires_at > $3 as live`,
    [of.id, of.identityUserId, now],
  );
  const [row] = rows;
  return row?.live === true ? row.challenge : undefined;
}

export async function findPasskey(pool: Pool, credentialId: string): Promise<Passkey | undefined> {
  const { rows } = await pool.query<Passkey>(
    `select p.id, p.user_id as "identityUserId", u."externalId", p.credential_id as "credentialId",
       p.public_key as "publicKey", p.transports
     from identity.passkey p join identity."user" u on u."id" = p.user_id where p.credential_id = $1`,
    [credentialId],
  );
  return rows[0];
}

/** The passkeys of an account, in the order they were added. */
export async function listPasskeys(
  pool: Pool,
  identityUserId: string,
): Promise<(ListedPasskey & { credentialId: string; transports: string[] })[]> {
  const { rows } = await pool.query<{
    id: string;
    name: string;
    created_at: Date;
    last_used_at: Date | null;
    credentialId: string;
    transports: string[];
  }>(
    `select id, name, created_at, last_used_at, credential_id as "credentialId", transports
     from identity.passkey where user_id = $1 order by created_at, id`,
    [identityUserId],
  );
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }));
}

/** Throws CONFLICT when the account has as many as it may have, or the credential is registered already. */
export async function insertPasskey(sql: SqlClient, row: NewPasskey): Promise<void> {
  await lockAccount(sql, row.identityUserId);
  const { rowCount } = await sql.query(
    `insert into identity.passkey (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
     select $1, $2, $3, $4, $5, $6, $7, $8
     where (select count(*) from identity.passkey where user_id = $2) < ${serverLimits.passkeysMax}
     on conflict (credential_id) do nothing`,
    [
      row.id,
      row.identityUserId,
      row.credentialId,
      Buffer.from(row.publicKey),
      row.signCount,
      [...row.transports],
      row.name,
      row.createdAt,
    ],
  );
  if (rowCount === 1) return;
  throw new AppError('CONFLICT', {
    message: `This passkey is registered already, or the account has ${serverLimits.passkeysMax} of them.`,
  });
}

/**
 * Counts a use. False when the authenticator's counter did not go up: the credential was copied. Authenticators
 * without a counter always say zero.
 */
export async function countUse(pool: Pool, use: { id: string; signCount: number; at: Date }): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update identity.passkey set sign_count = $2, last_used_at = $3
     where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0))`,
    [use.id, use.signCount, use.at],
  );
  return rowCount === 1;
}

/**
 * Sessions of the account that began with a passkey end with it, except the one that is told to stay: which of its passkeys
 * opened one is not known. Returns how many. Throws NOT_FOUND, and CONFLICT when nothing else would let the person in again.
 */
export async function removePasskey(
  sql: SqlClient,
  of: { id: string; identityUserId: string; sessionId: string },
): Promise<number> {
  // A session being inserted holds a share lock on the account: it is either deleted below or waits until we are done.
  await lockAccount(sql, of.identityUserId);
  const { rows } = await sql.query<{ needed: boolean }>(
    `select not exists (select 1 from identity."account" a where a."userId" = $2)
       and (select count(*) from identity.passkey p where p.user_id = $2) = 1 as needed
     from identity.passkey where id = $1 and user_id = $2`,
    [of.id, of.identityUserId],
  );
  const [row] = rows;
  if (row === undefined) throw new AppError('NOT_FOUND');
  if (row.needed) throw new AppError('CONFLICT', { message: 'This passkey is your only way to sign in.' });
  await sql.query('delete from identity.passkey where id = $1', [of.id]);
  const ended = await sql.query(
    `delete from identity."session" where "userId" = $1 and "method" = 'passkey' and "id" <> $2`,
    [of.identityUserId, of.sessionId],
  );
  return ended.rowCount ?? 0;
}

/** Parallel changes of one account are made one after the other, so that what is counted holds. */
async function lockAccount(sql: SqlClient, identityUserId: string): Promise<void> {
  await sql.query('select from identity."user" where "id" = $1 for update', [identityUserId]);
}
