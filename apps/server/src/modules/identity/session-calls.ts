/**
 * The sessions of the account, on whatever device.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | GET /auth/sessions | – | { sessions: [{ id, current, started_at, last_seen_at, address, user_agent }] }, newest first |
 * | POST /auth/sessions/revoke | { id } or { others: true } | { revoked: n }; they end in every process within a second |
 *
 * Both need the session cookie: 401 TOKEN_MISSING, and a proof of the last ten minutes: 403 REAUTHENTICATION_REQUIRED, then
 * POST /auth/prove and again. Who holds a stolen cookie neither sees where else its owner is nor signs them out. An id that
 * is not one of the caller's own sessions revokes nothing.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import {
  type AuthAnswer,
  type AuthCall,
  type AuthHandlers,
  type AuthRows,
  ok,
  type RecordSecurity,
} from './auth-call.ts';
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts';
import { requireFresh } from './session-proof.ts';

/** More than anybody has; what is beyond can only be ended together. */
const LISTED_MAX = 100;
const USER_AGENT_MAX = 300;

const revokeBodySchema = z.union([
  z.strictObject({ id: z.string().min(1).max(100) }),
  z.strictObject({ others: z.literal(true) }),
]);

export const sessionRows = {
  'GET /sessions': z.strictObject({}).optional(),
  'POST /sessions/revoke': revokeBodySchema,
} as const satisfies AuthRows;

type Dependencies = { pool: Pool; sessions: Pick<BrowserSessions, 'get'>; now: () => Date; record: RecordSecurity };

type SessionRow = {
  id: string;
  startedAt: Date;
  lastSeenAt: Date | null;
  address: string | null;
  userAgent: string | null;
};

export function createSessionCalls(deps: Dependencies): AuthHandlers<typeof sessionRows> {
  return {
    'GET /sessions': (call) => list(deps, call),
    'POST /sessions/revoke': (call) => revoke(deps, call),
  };
}

async function list(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const own = await freshSession(deps, call);
  const { rows } = await deps.pool.query<SessionRow>(
    `select "id", "createdAt" as "startedAt", "lastSeenAt", "ipAddress" as "address", "userAgent"
     from identity."session" where "userId" = $1 and "expiresAt" > $2
     order by ("id" = $3) desc, "createdAt" desc, "id" limit ${LISTED_MAX}`,
    [own.identityUserId, deps.now(), own.id],
  );
  return ok({
    sessions: rows.map((row) => ({
      id: row.id,
      current: row.id === own.id,
      started_at: row.startedAt.toISOString(),
      last_seen_at: (row.lastSeenAt ?? row.startedAt).toISOString(),
      address: row.address ?? '',
      user_agent: (row.userAgent ?? '').slice(0, USER_AGENT_MAX),
    })),
  });
}

async function revoke(deps: Dependencies, call: AuthCall<z.output<typeof revokeBodySchema>>): Promise<AuthAnswer> {
  const own = await freshSession(deps, call);
  const [condition, values] =
    'id' in call.body
      ? ['"id" = $2', [own.identityUserId, call.body.id]]
      : ['"id" <> $2', [own.identityUserId, own.id]];
  const { rows } = await deps.pool.query<{ id: string }>(
    `delete from identity."session" where "userId" = $1 and ${condition} returning "id"`,
    values,
  );
  // Ending sessions comes first: a record that cannot be written must not keep a thief signed in.
  if (rows.length > 0) {
    await deps.record({
      externalId: own.externalId,
      action: 'session.revoke',
      outcome: 'ok',
      data: { sessions: rows.slice(0, LISTED_MAX).map(({ id }) => id), revoked: rows.length },
      requestId: call.requestId,
    });
  }
  return ok({ revoked: rows.length });
}

async function freshSession({ sessions, now }: Dependencies, call: AuthCall): Promise<BrowserSession> {
  const session = await sessions.get(call);
  requireFresh(session, now());
  return session;
}
