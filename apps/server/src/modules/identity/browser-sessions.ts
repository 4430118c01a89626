/**
 * The session behind a browser's cookie, for every call under `/auth` that needs one.
 *
 * The cookie holds the session's newest token (see rotation-refresh.ts). For a short while the one before it still
 * counts, because calls may be under way while another tab rotates. A session is opened under an id and a token made
 * here: nothing a browser brought along is ever adopted.
 */
import type { Pool } from 'pg';
import { AppError } from '../../http/app-error.ts';
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
  clearCookie(): string;
};

type Dependencies = {
  pool: Pool;
  cookies: SignedCookies;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  sessionIdleS: number;
};

const sessionColumns = `s."id", s."userId" as "identityUserId", u."externalId", u."email", u."name", s."method",
  coalesce(s."strong", false) as "strong", s."createdAt" as "startedAt", s."provenAt", s."expiresAt"`;

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
    clearCookie: () => cookies.clear(SESSION_COOKIE),
  };
  return sessions;
}

/** A fresh token for a session. */
export function newSessionToken(randomBytes: (size: number) => Buffer): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

async function findByToken(pool: Pool, token: string, now: Date): Promise<BrowserSession | undefined> {
  const { rows } = await pool.query<BrowserSession>(
    `select ${sessionColumns}
     from identity."session" s join identity."user" u on u."id" = s."userId"
     where s."expiresAt" > $3 and (s."token" = $1 or s."id" = (
       select r.session_id from identity.replaced_token r where r.token_hash = $2 and r.replaced_at > $4))`,
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
