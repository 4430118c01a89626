/**
 * Passwords of accounts: comparing, the last few that must not come back, replacing.
 *
 * Hashing is slow on purpose and happens outside of transactions, under the one bound that sign-ins share. Replacing is
 * one transaction with everything that belongs to it; it locks the account's row against sessions that are being opened,
 * so that none begun with the old password is left behind (sign-in looks at the password's state again when it is done).
 */
import type { Pool } from 'pg';
import { sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { addressSubject } from './attempt-guard.ts';
import type { PasswordHashes } from './password-hash.ts';
import type { createWorkLimit } from './work-limit.ts';

/** The present password and those before it that cannot be chosen again. */
const REMEMBERED_PASSWORDS = 5;

/** The row in which wrong guesses at the password of an address are counted. */
export function passwordSubject(email: string): string {
  return addressSubject('password', email);
}

export type PasswordState = {
  identityUserId: string;
  externalId: string;
  email: string;
  hasPassword: boolean;
  resetRequired: boolean;
  /** Goes up with every new password. */
  version: number;
};

export type PasswordStore = {
  /** The same statement for every address, known or not. */
  findState(email: string): Promise<PasswordState | undefined>;
  /** The same of an account by its id outside; undefined for an empty one. */
  findStateOf(externalId: string | undefined): Promise<PasswordState | undefined>;
  /** Whether what was found before a sign-in still holds after it; waits for a replacement that is under way. */
  isUnchanged(state: PasswordState): Promise<boolean>;
  matches(identityUserId: string, password: string): Promise<boolean>;
  /** The hash to keep, or undefined when it is one of the last five. */
  prepare(identityUserId: string, password: string): Promise<string | undefined>;
  /** Hashes the password that was just found right anew, where its hash costs less than one made now. */
  renew(state: Pick<PasswordState, 'identityUserId' | 'version'>, password: string): Promise<void>;
  /**
   * Makes the prepared hash the password, lifts the lock on guesses and ends every session but `keepSession`, together
   * with sign-ins that wait for their second factor.
   */
  replace(
    tx: Tx,
    change: { identityUserId: string; email: string; hash: string; keepSession?: string | undefined },
  ): Promise<void>;
  /** From now on the right password opens nothing until a new one was set; ends every session. */
  requireNew(tx: Tx, identityUserId: string): Promise<void>;
  /** Ends sign-ins that wait for their second factor. */
  dropChallenges(identityUserId: string): Promise<void>;
};

type Dependencies = {
  pool: Pool;
  hashes: PasswordHashes;
  limit: ReturnType<typeof createWorkLimit>;
  now: () => Date;
};

export function createPasswordStore({ pool, hashes, limit, now }: Dependencies): PasswordStore {
  const verify = (hash: string, password: string) => limit(() => hashes.verify(hash, password));

  return {
    async findState(email) {
      const { rows } = await pool.query<PasswordState>(`${STATES} where u."email" = $1`, [email.toLowerCase()]);
      return rows[0];
    },
    async findStateOf(externalId) {
      if (externalId === undefined) return undefined;
      const { rows } = await pool.query<PasswordState>(`${STATES} where u."externalId" = $1`, [externalId]);
      return rows[0];
    },
    async isUnchanged({ identityUserId, version, resetRequired }) {
      // The share lock waits for the one a replacement holds, and then reads what that has written.
      const { rowCount } = await pool.query(
        `select 1 from identity."user" where "id" = $1 and "passwordVersion" = $2 and "passwordResetRequired" = $3
         for share`,
        [identityUserId, version, resetRequired],
      );
      return rowCount === 1;
    },
    async matches(identityUserId, password) {
      const [present] = await hashesOf(pool, identityUserId, 1);
      return present !== undefined && (await verify(present, password));
    },
    async prepare(identityUserId, password) {
      for (const hash of await hashesOf(pool, identityUserId, REMEMBERED_PASSWORDS)) {
        if (await verify(hash, password)) return undefined;
      }
      return await limit(() => hashes.make(password));
    },
    async renew({ identityUserId, version }, password) {
      const [present] = await hashesOf(pool, identityUserId, 1);
      if (present === undefined || !(await hashes.isCheap(present))) return;
      const hash = await limit(() => hashes.make(password));
      // The version says that nobody has set another password since this one was looked at.
      await pool.query(
        `update identity."account" a set "password" = $3 from identity."user" u
         where u."id" = $1 and u."passwordVersion" = $4 and a."userId" = u."id" and a."providerId" = 'credential'
           and a."password" = $2`,
        [identityUserId, present, hash, version],
      );
    },
    replace: (tx, change) => replacePassword(tx, change, now()),
    async requireNew(tx, identityUserId) {
      const sql = sqlClient(tx);
      await sql.query('select 1 from identity."user" where "id" = $1 for update', [identityUserId]);
      await sql.query('update identity."user" set "passwordResetRequired" = true where "id" = $1', [identityUserId]);
      await sql.query('delete from identity."session" where "userId" = $1', [identityUserId]);
      await sql.query('delete from identity."verification" where "value" = $1', [identityUserId]);
    },
    async dropChallenges(identityUserId) {
      await pool.query('delete from identity."verification" where "value" = $1', [identityUserId]);
    },
  };
}

const STATES = `select u."id" as "identityUserId", u."externalId", u."email", a."password" is not null as "hasPassword",
    u."passwordResetRequired" as "resetRequired", u."passwordVersion" as version
  from identity."user" u
  left join identity."account" a on a."userId" = u."id" and a."providerId" = 'credential'`;

/** Newest first, the present one before all. */
async function hashesOf(pool: Pool, identityUserId: string, max: number): Promise<string[]> {
  const { rows } = await pool.query<{ hash: string }>(
    `select hash from (
       select a."password" as hash, null::bigint as id from identity."account" a
       where a."userId" = $1 and a."providerId" = 'credential' and a."password" is not null
       union all
       select h.hash, h.id from identity.password_history h where h.user_id = $1) remembered
     order by id desc nulls first limit $2`,
    [identityUserId, max],
  );
  return rows.map(({ hash }) => hash);
}

async function replacePassword(
  tx: Tx,
  change: { identityUserId: string; email: string; hash: string; keepSession?: string | undefined },
  now: Date,
): Promise<void> {
  const sql = sqlClient(tx);
  const { identityUserId: user, email, hash, keepSession } = change;
  // A session being inserted holds a share lock on this row: it is either deleted below or waits until we are done.
  await sql.query('select 1 from identity."user" where "id" = $1 for update', [user]);
  await sql.query(
    `insert into identity.password_history (user_id, hash)
     select "userId", "password" from identity."account"
     where "userId" = $1 and "providerId" = 'credential' and "password" is not null`,
    [user],
  );
  await sql.query(
    `delete from identity.password_history where user_id = $1 and id not in
       (select id from identity.password_history where user_id = $1 order by id desc limit $2)`,
    [user, REMEMBERED_PASSWORDS - 1],
  );
  await sql.query(
    `update identity."account" set "password" = $2, "updatedAt" = $3
     where "userId" = $1 and "providerId" = 'credential'`,
    [user, hash, now],
  );
  await sql.query(
    `update identity."user"
     set "passwordResetRequired" = false, "passwordVersion" = "passwordVersion" + 1, "updatedAt" = $2 where "id" = $1`,
    [user, now],
  );
  await sql.query('delete from identity."session" where "userId" = $1 and "id" is distinct from $2', [
    user,
    keepSession ?? null,
  ]);
  await sql.query('delete from identity."verification" where "value" = $1', [user]);
  await sql.query('update identity.attempt_guard set failures = 0, locked_until = null where subject = $1', [
    passwordSubject(email),
  ]);
}
