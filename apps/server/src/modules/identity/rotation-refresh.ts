/**
 * `GET /auth/token`: the session cookie is a refresh token, and each use replaces it.
 *
 * | Presented token | Answer |
 * |---|---|
 * | the session's newest | access token; a new cookie takes its place |
 * | replaced within the last 30 s | access token, nothing is replaced. If its successor was never used, the answer that carried it may have been lost: it is sent again |
 * | replaced longer ago | somebody kept a copy: the session ends everywhere, and that is recorded |
 * | unknown, unsigned, expired | no session |
 *
 * What always holds: of any number of parallel uses of one token exactly one replaces it, because the replacement is one
 * statement on the session's row; the others find it replaced a moment ago. A crash before the commit leaves the old
 * token valid, one after it is a lost answer.
 *
 * A session lives twelve hours from its beginning, however often it is used, and ends earlier when nobody uses it: each use
 * puts its end off. A page that asks by itself says how long nobody has touched it, and that does not count as use.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { type AuthAnswer, type AuthCall, ok, type RecordSecurity } from './auth-call.ts';
import { newSessionToken, SESSION_COOKIE } from './browser-sessions.ts';
import { hashOfToken, ROTATION_GRACE_MS } from './rotation-tokens.ts';
import { SESSION_LIFETIME_S } from './sign-in-provider.ts';
import type { SignedCookies } from './signed-cookies.ts';

const SEEN_EVERY_MS = 60_000;

/** Signs an access token for a row of `user` and one of `session`. */
export type AccessTokenFor = (of: {
  user: Record<string, unknown>;
  session: Record<string, unknown>;
}) => Promise<string>;

type Dependencies = {
  pool: Pool;
  cookies: SignedCookies;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  sessionIdleS: number;
  record: RecordSecurity;
  tokenFor: AccessTokenFor;
};

/** What an access token says about a session, and when that ends. */
type Refreshed = {
  sessionId: string;
  method: string | null;
  strong: boolean | null;
  expiresAt: Date;
  userId: string;
  externalId: string;
  twoFactorEnabled: boolean | null;
};

type Replaced = Refreshed & { replacedAt: Date; successor: string | null };

const nobody = (setCookies: string[] = []): AuthAnswer => ok({ token: null }, setCookies);

/** `idle_s`: for so many seconds nobody has touched the page that asks. Left out, somebody just did. */
export const refreshQuerySchema = z.strictObject({ idle_s: z.coerce.number().int().min(0).max(1_000_000).default(0) });

export type Refresh = (call: AuthCall<z.output<typeof refreshQuerySchema>>) => Promise<AuthAnswer>;

export function createRefresh(deps: Dependencies): Refresh {
  return async (call) => {
    const token = deps.cookies.read(call.cookie, SESSION_COOKIE);
    if (token === undefined) return nobody();
    const successor = newSessionToken(deps.randomBytes);
    const rotated = await rotate(deps, { token, successor, idleS: call.body.idle_s });
    if (rotated !== undefined) return await answer(deps, rotated, successor);
    const replaced = await findReplaced(deps, token);
    if (replaced === undefined) return nobody();
    const ageMs = deps.now().getTime() - replaced.replacedAt.getTime();
    if (ageMs <= ROTATION_GRACE_MS) return await answer(deps, replaced, replaced.successor);
    await endReused(deps, call, replaced);
    return nobody([deps.cookies.clear(SESSION_COOKIE)]);
  };
}

async function answer(deps: Dependencies, of: Refreshed, cookie: string | null): Promise<AuthAnswer> {
  const token = await deps.tokenFor({
    user: { id: of.userId, externalId: of.externalId, twoFactorEnabled: of.twoFactorEnabled },
    session: { id: of.sessionId, method: of.method, strong: of.strong },
  });
  const remainingS = (of.expiresAt.getTime() - deps.now().getTime()) / 1000;
  return ok(
    { token, session_ends_in_s: Math.floor(remainingS) },
    cookie === null ? [] : [deps.cookies.write(SESSION_COOKIE, cookie, remainingS)],
  );
}

async function rotate(
  deps: Dependencies,
  { token, successor, idleS }: { token: string; successor: string; idleS: number },
): Promise<Refreshed | undefined> {
  const at = deps.now();
  const usedUntil = new Date(at.getTime() + (deps.sessionIdleS - idleS) * 1000);
  const { rows } = await deps.pool.query<Refreshed>(
    `with rotated as (
       update identity."session" set "token" = $2, "updatedAt" = $3,
         "lastSeenAt" = case when coalesce("lastSeenAt", "createdAt") <= $4 then $3 else "lastSeenAt" end,
         "expiresAt" = greatest("expiresAt", least($7, "createdAt" + interval '${SESSION_LIFETIME_S} seconds'))
       where "token" = $1 and "expiresAt" > $3
       returning "id", "userId", "method", "strong", "expiresAt"),
     kept as (
       insert into identity.replaced_token (token_hash, session_id, replaced_at, successor_hash)
       select $5, "id", $3, $6 from rotated)
     select r."id" as "sessionId", r."method", r."strong", r."expiresAt",
       u."id" as "userId", u."externalId", u."twoFactorEnabled"
     from rotated r join identity."user" u on u."id" = r."userId"`,
    [
      token,
      successor,
      at,
      new Date(at.getTime() - SEEN_EVERY_MS),
      hashOfToken(token),
      hashOfToken(successor),
      usedUntil,
    ],
  );
  return rows[0];
}

/** The live session an old token belonged to. `successor` is set while the token that replaced it was never used. */
async function findReplaced(deps: Dependencies, token: string): Promise<Replaced | undefined> {
  const { rows } = await deps.pool.query<Replaced>(
    `select s."id" as "sessionId", s."method", s."strong", s."expiresAt",
       u."id" as "userId", u."externalId", u."twoFactorEnabled", r.replaced_at as "replacedAt",
       case when sha256(convert_to(s."token", 'UTF8')) = r.successor_hash then s."token" end as "successor"
     from identity.replaced_token r
     join identity."session" s on s."id" = r.session_id
     join identity."user" u on u."id" = s."userId"
     where r.token_hash = $1 and s."expiresAt" > $2`,
    [hashOfToken(token), deps.now()],
  );
  return rows[0];
}

async function endReused(deps: Dependencies, call: Pick<AuthCall, 'requestId'>, of: Replaced): Promise<void> {
  const { rowCount } = await deps.pool.query('delete from identity."session" where "id" = $1', [of.sessionId]);
  // Of parallel uses only the one that ended the session records it.
  if (rowCount !== 1) return;
  await deps.record({
    externalId: of.externalId,
    action: 'session.reuse_detected',
    outcome: 'refused',
    data: { session: of.sessionId },
    requestId: call.requestId,
  });
}
