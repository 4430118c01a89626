/**
 * Codes that are mailed to prove that somebody reads an address: eight digits, ten minutes, once.
 *
 * Everything is kept by purpose and hash of address and browser and never by user, so that known and unknown addresses cost
 * the same statements. A code belongs to the browser that asked for it: it replaces the one before there, and whoever asks or
 * guesses elsewhere neither replaces nor locks it. Wrong guesses are counted exactly by the attempt guard, and a new code
 * gives no new guesses: five per quarter of an hour and browser, of a hundred million codes. A browser without a code cannot
 * guess right, so all browsers together have five for each code the caller lets be mailed to the address. The code itself is
 * in the mail only; here is its HMAC. A crash between making and mailing leaves nothing: both are one transaction.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { type SqlClient, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type AttemptGuard, addressSubject } from './attempt-guard.ts';

export const CODE_LIVES_MS = 10 * 60_000;
const DIGITS = 8;

export type MailCodePurpose = 'recovery' | 'sign-up';
export type CodeOwner = {
  readonly purpose: MailCodePurpose;
  readonly email: string;
  /** What the browser holds that asked: elsewhere the right code is refused, and counted there, like a wrong one. */
  readonly browser: string;
};

export type MailCodes = {
  /** Makes a code in the caller's system transaction; mail it in the same one. */
  issue(tx: Tx, owner: CodeOwner): Promise<string>;
  /** Judges a guess without using the code up. `locked` when it was not even looked at. */
  judge(owner: CodeOwner, code: string): Promise<'accepted' | 'refused' | 'locked'>;
  /** Uses an accepted code up in the caller's transaction; false when somebody was faster or a newer one replaced it. */
  consume(tx: Tx, owner: CodeOwner, code: string): Promise<boolean>;
  forgetOld(): Promise<void>;
};

type Dependencies = {
  pool: Pool;
  guard: AttemptGuard;
  secret: string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

export function createMailCodes({ pool, guard, secret, now, randomBytes }: Dependencies): MailCodes {
  const subjectOf = ({ purpose, email, browser }: CodeOwner) =>
    addressSubject(`${purpose}-code`, `${email}\n${browser}`);
  const hashOf = (owner: CodeOwner, code: string) =>
    createHmac('sha256', secret)
      .update(`mail-code\n${subjectOf(owner)}\n${code}`)
      .digest('base64url');

  return {
    async issue(tx, owner) {
      // Of 48 random bits the remainder prefers no code by more than one in two million.
      const code = String(randomBytes(6).readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
      await sqlClient(tx).query(
        `insert into identity.mail_code (subject, code_hash, expires_at) values ($1, $2, $3)
         on conflict (subject) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
        [subjectOf(owner), hashOf(owner, code), new Date(now().getTime() + CODE_LIVES_MS)],
      );
      return code;
    },
    async judge(owner, code) {
      const subject = subjectOf(owner);
      const { rows } = await pool.query<{ code_hash: string }>(
        'select code_hash from identity.mail_code where subject = $1 and expires_at > $2',
        [subject, now()],
      );
      const given = Buffer.from(hashOf(owner, code));
      // Without a code the same comparison runs against what no code hashes to.
      const expected = Buffer.from(rows[0]?.code_hash ?? 'x'.repeat(given.length));
      return await guard.judge(subject, () => ({
        accepted: given.length === expected.length && timingSafeEqual(given, expected),
      }));
    },
    async consume(tx, owner, code) {
      const used = await sqlClient(tx).query(
        'delete from identity.mail_code where subject = $1 and code_hash = $2 and expires_at > $3 returning subject',
        [subjectOf(owner), hashOf(owner, code), now()],
      );
      return used.rows.length === 1;
    },
    async forgetOld() {
      await pool.query('delete from identity.mail_code where expires_at < $1', [now()]);
      await pool.query('delete from identity.mail_limit where ends_at < $1', [now()]);
    },
  };
}

export type MailLimit = { readonly subject: string; readonly max: number };

/** From the first of them on. */
export const MAILS_COUNT_FOR_S = 15 * 60;

/** Takes one of `max` mails per quarter of an hour; false when none is left. One statement, exact under parallel tries. */
export async function takeMail(client: SqlClient, { subject, max }: MailLimit, now: Date): Promise<boolean> {
  const { rows } = await client.query<{ used: number }>(
    `insert into identity.mail_limit as l (subject, used, ends_at) values ($1, 1, $3)
     on conflict (subject) do update set
       used = case when l.ends_at <= $2 then 1 else l.used + 1 end,
       ends_at = case when l.ends_at <= $2 then excluded.ends_at else l.ends_at end
     returning used`,
    [subject, now, new Date(now.getTime() + MAILS_COUNT_FOR_S * 1000)],
  );
  return (rows[0]?.used ?? max + 1) <= max;
}
