import type { Pool } from 'pg';
import { sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { SignedCookies } from './signed-cookies.ts';

const SECOND_FACTOR_COOKIE = 'air_second_factor';
const SECOND_FACTOR_LIFETIME_S = 600;
const CHALLENGE_BYTES = 24;
const NOTE = 'external-';

/** How a session says that it began with that connection. */
export function externalMethod(connectionId: string): string {
  return `external:${connectionId}`;
}

export function isExternalMethod(method: unknown): method is string {
  return typeof method === 'string' && method.startsWith('external:');
}

/** In every process at once; needs a system transaction. How many ended. */
export async function endSessionsOfConnection(tx: Tx, connectionId: string): Promise<number> {
  const client = sqlClient(tx);
  // Second steps under way first: one that is finished now must leave nothing behind.
  await client.query(
    `delete from identity."verification" v using identity."verification" n
     where n."value" = $1 and n."identifier" like '${NOTE}2fa-%'
       and (v."id" = n."id" or v."identifier" = substr(n."identifier", ${NOTE.length + 1}))`,
    [connectionId],
  );
  const ended = await client.query('delete from identity."session" where "method" = $1', [
    externalMethod(connectionId),
  ]);
  return ended.rowCount ?? 0;
}

/** Members at home in the tenant, and its rules. */
const MEMBERS = `app_user u
  join identity."user" i on i."externalId" = u.id::text
  join membership m on m.tenant_id = u.home_tenant_id and m.user_id = u.id
  join tenant_settings s on s.tenant_id = u.home_tenant_id
  where u.home_tenant_id = $1`;

/** Those of a tenant that asks for single sign-on, except Admins of its break-glass list. */
const UNFIT = `select i."id" from ${MEMBERS} and s.sso_required and not (
    exists (select from unnest(s.break_glass) named where lower(named) = lower(u.uname)) and m.role = 'Admin')`;

/** Those who owe a code of their authenticator. Who has none keeps the session, and sets one up with it. */
const OWE_CODE = `select i."id" from ${MEMBERS} and s.mfa_required_for_social and i."twoFactorEnabled"`;

/**
 * Ends the sessions of people at home in the tenant that began in a way its rules do not allow now, in every process at
 * once. Needs a system transaction. How many ended. Second steps under way are asked again when they are done.
 */
export async function endUnfitSessions(tx: Tx, tenantId: string): Promise<number> {
  const client = sqlClient(tx);
  const ended = await client.query(
    `delete from identity."session" where "userId" in (${UNFIT}) and ("method" is null or "method" not in (
         select 'external:' || c.id from sso_connection c where c.tenant_id = $1 and c.enabled))
       or "userId" in (${OWE_CODE}) and "method" like 'external:%' and "strong" is not true`,
    [tenantId],
  );
  return ended.rowCount ?? 0;
}

/**
 * The second step after an external account: the same challenge the provider leaves after a right password, plus a note of
 * the connection beside it, so that the session which follows still says how it began.
 */
export type ExternalChallenges = {
  /** The cookie to set. */
  begin(identityUserId: string, connectionId: string): Promise<string>;
  /** Connection behind a pending second step; undefined when it began with a password. */
  connectionOf(challenge: string): Promise<string | undefined>;
  /** Marks the session that came of it. */
  complete(done: { challenge: string; connectionId: string; sessionToken: string }): Promise<void>;
};

type Dependencies = {
  pool: Pool;
  cookies: SignedCookies;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

export function createExternalChallenges({ pool, cookies, ids, now, randomBytes }: Dependencies): ExternalChallenges {
  return {
    async begin(identityUserId, connectionId) {
      const challenge = `2fa-${randomBytes(CHALLENGE_BYTES).toString('base64url')}`;
      const at = now();
      const expiresAt = new Date(at.getTime() + SECOND_FACTOR_LIFETIME_S * 1000);
      const rows = [
        [challenge, identityUserId],
        [`2fa-attempts-${challenge}`, '0'],
        [noteOf(challenge), connectionId],
      ] as const;
      for (const [identifier, value] of rows) {
        await pool.query(
          `insert into identity."verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
           values ($1, $2, $3, $4, $5, $5)`,
          [ids(), identifier, value, expiresAt, at],
        );
      }
      return cookies.write(SECOND_FACTOR_COOKIE, challenge, SECOND_FACTOR_LIFETIME_S);
    },
    async connectionOf(challenge) {
      const { rows } = await pool.query<{ value: string }>(
        'select "value" from identity."verification" where "identifier" = $1 and "expiresAt" > $2',
        [noteOf(challenge), now()],
      );
      return rows[0]?.value;
    },
    async complete({ challenge, connectionId, sessionToken }) {
      await pool.query('update identity."session" set "method" = $2, "strong" = true where "token" = $1', [
        sessionToken,
        externalMethod(connectionId),
      ]);
      await pool.query('delete from identity."verification" where "identifier" = $1', [noteOf(challenge)]);
    },
  };
}

function noteOf(challenge: string): string {
  return NOTE + challenge;
}
