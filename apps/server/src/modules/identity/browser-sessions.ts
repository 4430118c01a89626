/**
 * The session behind a browser's cookie, for every call under `/auth` that needs one.
 *
 * The cookie holds the session's newest token (see rotation-refresh.ts). For a short while the one before it still
 * counts, because calls may be under way while another tab rotates. A session is opened under an id and a token made
 * here: nothing a browser brought along is ever adopted.
 *
 * Who proves who they are within a session gets a new token at once, in the statement that notes the proof. The one from
 * before has the same short while for calls under way, but the proof does not count for it, and it is not handed its
 * successor: somebody else may hold a copy. An answer that got lost therefore costs a sign-in.
 */
import type { Pool } from 'pg';
import { AppError } from '../../http/app-error.ts';
import type { SqlClient } from '../../storage/database.ts';
import type { AuthCall } from './auth-call.ts';
import { hashOfToken, ROTATION_GRACE_MS } from './rotation-tokens.ts';
import type { SignedCookies } from './signed-cookies.ts';

export const SESSION_COOKIE = 'air_session';
const USER_AGENT_MAX = 300;
const TOKEN_BYTES = 32;

export type BrowserSession = {
  id: string;
  /** Id of the sign-in (`identity."user"`), not of our own user: that is `externalId`. */
  identityUserId: string;
  externalId: string;
  email: string;
  name: string;
  /** `password`, `passkey` or `external:<connection>`; null means password. */
  method: string | null;
  strong: boolean;
  startedAt: Date;
  /** When the person last proved who they are; null means when the session began. */
  provenAt: Date | null;
  expiresAt: Date;
};

export type OpenedSession = { sessionId: string; externalId: string; setCookies: string[] };

export type BrowserSessions = {
  /** The live session of the call's cookie. */
  find(call: Pick<AuthCall, 'cookie'>): Promise<BrowserSession | undefined>;
  /** The same; throws TOKEN_MISSING without one. */
  get(call: Pick<AuthCall, 'cookie'>): Promise<BrowserSession>;
  /**
   * Opens a session for somebody who has proved who they are, and ends the one this browser had. Throws NOT_FOUND when
   * the sign-in is gone. The caller records the sign-in, and ends the session again when that fails.
   */
  open(
    call: Pick<AuthCall, 'cookie' | 'clientAddress' | 'userAgent'>,
    session: { identityUserId: string; method: string; strong: boolean },
  ): Promise<OpenedSession>;
  /** Ends the session the call's cookie belongs to, however old its token is; whose it was. */
  end(call: Pick<AuthCall, 'cookie'>): Promise<{ sessionId: string; externalId: string } | undefined>;
  endById(sessionId: string): Promise<void>;
  /**
   * Replaces the session's token, and notes what was proven; the cookie with the new one. Part of the transaction, so
   * that nothing counts as proven whose record failed. Throws TOKEN_MISSING when the session has ended meanwhile.
   */
  renew(tx: SqlClient, sessionId: string, proven: Proven): Promise<string>;
  clearCookie(): string;
};

/** What a person showed: their second factor, their password where they have no other, or nothing that counts as fresh. */
export type Proven = 'second_factor' | 'password' | 'nothing';

type Dependencies = {
  pool: Pool;
  cookies: SignedCookies;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  sessionIdleS: number;
};

/** Of a token from before the proof, so that the proof does not count for who holds a copy of it. */
const provenAt = `case when r.replaced_at <= s."provenAt" then null else s."provenAt" end`;
const sessionColumns = `s."id", s."userId" as "identityUserId", u."externalId", u."email", u."name", s."method",
  coalesce(s."strong", false) as "strong", s."createdAt" as "startedAt", ${provenAt} as "provenAt", s."expiresAt"`;

export function createBrowserSessions(deps: Dependencies): BrowserSessions {
  const { pool, cookies, now } = deps;
  const tokenOf = (call: Pick<AuthCall, 'cookie'>) => cookies.read(call.cookie, SESSION_COOKIE);

  const sessions: BrowserSessions = {
    async find(call) {
      const token = tokenOf(call);
      return token === undefined ? undefined : await findByToken(pool, token, now());
    },
    async get(call) {
      const session = await sessions.find(call);
      if (session === undefined) throw new AppError('TOKEN_MISSING');
      return session;
    },
    async open(call, session) {
      const opened = await openSession(deps, call, session);
      await sessions.end(call);
      return opened;
    },
    async end(call) {
      const token = tokenOf(call);
      return token === undefined ? undefined : await endByToken(pool, token);
    },
    async endById(sessionId) {
      await pool.query('delete from identity."session" where "id" = $1', [sessionId]);
    },
    renew: (tx, sessionId, proven) => renewSession(deps, tx, { sessionId, proven }),
    clearCookie: () => cookies.clear(SESSION_COOKIE),
  };
  return sessions;
}

/** A fresh token for a session. */
export function newSessionToken(randomBytes: (size: number) => Buffer): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

async function findByToken(pool: Pool, token: string, now: Date): Promise<BrowserSession | undefined> {
  // Two questions with an index each: "one or the other" over a join has none, and reads every session there is.
  const { rows } = await pool.query<BrowserSession>(
    `select ${sessionColumns}
     from (
       select "id", null::timestamptz as replaced_at from identity."session" where "token" = $1
       union all
       select session_id, replaced_at from identity.replaced_token where token_hash = $2 and replaced_at > $4) r
     join identity."session" s on s."id" = r."id" join identity."user" u on u."id" = s."userId"
     where s."expiresAt" > $3`,
    [token, hashOfToken(token), now, new Date(now.getTime() - ROTATION_GRACE_MS)],
  );
  return rows[0];
}

async function endByToken(pool: Pool, token: string) {
  const { rows } = await pool.query<{ sessionId: string; externalId: string }>(
    `delete from identity."session" s using identity."user" u
     where u."id" = s."userId" and (s."token" = $1 or s."id" = (
       select r.session_id from identity.replaced_token r where r.token_hash = $2))
     returning s."id" as "sessionId", u."externalId"`,
    [token, hashOfToken(token)],
  );
  return rows[0];
}

async function openSession(
  deps: Dependencies,
  call: Pick<AuthCall, 'clientAddress' | 'userAgent'>,
  session: { identityUserId: string; method: string; strong: boolean },
): Promise<OpenedSession> {
  const at = deps.now();
  const sessionId = deps.ids();
  const token = newSessionToken(deps.randomBytes);
  const { rows } = await deps.pool.query<{ externalId: string }>(
    `with opened as (
       insert into identity."session" ("id", "expiresAt", "token", "createdAt", "updatedAt", "ipAddress", "userAgent",
         "userId", "method", "strong", "provenAt", "lastSeenAt")
       select $1, $2, $3, $4, $4, $5, $6, u."id", $8, $9, $4, $4 from identity."user" u where u."id" = $7
       returning "userId")
     select u."externalId" from opened join identity."user" u on u."id" = opened."userId"`,
    [
      sessionId,
      new Date(at.getTime() + deps.sessionIdleS * 1000),
      token,
      at,
      call.clientAddress,
      (call.userAgent ?? '').slice(0, USER_AGENT_MAX),
      session.identityUserId,
      session.method,
      session.strong,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new AppError('NOT_FOUND');
  const setCookies = [deps.cookies.write(SESSION_COOKIE, token, deps.sessionIdleS)];
  return { sessionId, externalId: row.externalId, setCookies };
}

async function renewSession(
  { cookies, now, randomBytes }: Dependencies,
  tx: SqlClient,
  { sessionId, proven }: { sessionId: string; proven: Proven },
): Promise<string> {
  const at = now();
  const token = newSessionToken(randomBytes);
  const { rows: locked } = await tx.query<{ token: string }>(
    'select "token" from identity."session" where "id" = $1 and "expiresAt" > $2 for update',
    [sessionId, at],
  );
  const [before] = locked;
  if (before === undefined) throw new AppError('TOKEN_MISSING');
  const { rows } = await tx.query<{ expiresAt: Date }>(
    `with kept as (
       insert into identity.replaced_token (token_hash, session_id, replaced_at, successor_hash) values ($5, $1, $3, ''))
     update identity."session" set "token" = $2, "updatedAt" = $3,
       "provenAt" = case when $4 = 'nothing' then "provenAt" else $3 end,
       "strong" = coalesce("strong", false) or $4 = 'second_factor'
     where "id" = $1 returning "expiresAt"`,
    [sessionId, token, at, proven, hashOfToken(before.token)],
  );
  const remainingS = ((rows[0]?.expiresAt.getTime() ?? 0) - at.getTime()) / 1000;
  return cookies.write(SESSION_COOKIE, token, remainingS);
}
