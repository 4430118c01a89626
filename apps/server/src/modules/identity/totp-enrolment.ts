/**
 * Setting up an authenticator app, also in place of another, and its recovery codes.
 *
 * none → pending (secret shown, kept apart from the active one for 15 minutes, replaced by every new beginning) → active
 * once a code of it was right. Only one confirmation uses the pending secret up, however many run at once. The step of
 * that code counts as used, so the code does not also sign in. A crash in between leaves the pending secret as it was.
 */
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Pool } from 'pg';
import { AppError } from '../../http/app-error.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { AccountMails } from './account-mails.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import type { RecordSecurity } from './auth-call.ts';
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts';
import { newRecoveryCodes, sealRecoveryCodes } from './recovery-codes.ts';
import { secondFactorSubject } from './second-factor.ts';
import type { SignInProvider } from './sign-in-provider.ts';
import { keyOfSecret, matchingStep, newTotpSecret, totpUri } from './totp.ts';

const PENDING_LIVES_MS = 15 * 60_000;

export type TotpEnrolment = {
  /** `secret` is base32; `uri` what an app reads from the QR code. */
  begin(session: BrowserSession): Promise<{ secret: string; uri: string }>;
  /** The recovery codes, shown this once, and the session's new cookie. `locked` when the code was not even looked at. */
  confirm(
    session: BrowserSession,
    code: string,
    requestId: string,
  ): Promise<{ recoveryCodes: string[]; cookie: string } | 'refused' | 'locked'>;
  /** New codes; the old ones end. Throws CONFLICT without an authenticator. */
  regenerate(session: BrowserSession, requestId: string): Promise<string[]>;
  forgetOld(): Promise<void>;
};

type Dependencies = {
  pool: Pool;
  db: Pick<Database, 'system'>;
  provider: SignInProvider;
  guard: AttemptGuard;
  sessions: Pick<BrowserSessions, 'renew'>;
  mail: Mail;
  mails: AccountMails;
  record: RecordSecurity;
  productName: string;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

export function createTotpEnrolment(deps: Dependencies): TotpEnrolment {
  return {
    begin: (session) => begin(deps, session),
    confirm: (session, code, requestId) => confirm(deps, session, { code, requestId }),
    regenerate: (session, requestId) => regenerate(deps, session, requestId),
    async forgetOld() {
      await deps.pool.query('delete from identity.pending_totp where expires_at < $1', [deps.now()]);
    },
  };
}

async function begin({ pool, provider, now, randomBytes, productName }: Dependencies, session: BrowserSession) {
  const { secretConfig: key } = await provider.$context;
  const secret = newTotpSecret(randomBytes);
  const sealed = await symmetricEncrypt({ key, data: keyOfSecret(secret) });
  await pool.query(
    `insert into identity.pending_totp (user_id, secret, expires_at) values ($1, $2, $3)
     on conflict (user_id) do update set secret = excluded.secret, expires_at = excluded.expires_at`,
    [session.identityUserId, sealed, new Date(now().getTime() + PENDING_LIVES_MS)],
  );
  return { secret, uri: totpUri({ issuer: productName, account: session.email, secret }) };
}

async function confirm(
  deps: Dependencies,
  session: BrowserSession,
  { code, requestId }: { code: string; requestId: string },
) {
  const { pool, provider, guard, now } = deps;
  const { secretConfig: key } = await provider.$context;
  const { rows } = await pool.query<{ secret: string }>(
    'select secret from identity.pending_totp where user_id = $1 and expires_at > $2',
    [session.identityUserId, now()],
  );
  const [pending] = rows;
  if (pending === undefined) return 'refused';
  const pendingKey = await symmetricDecrypt({ key, data: pending.secret });
  const verdict = await guard.judge(secondFactorSubject(session.identityUserId), ({ lastStep }) => {
    const step = matchingStep(pendingKey, code, now());
    // The last step is that of another secret, so an equal one is no repetition; it must never go down.
    return step === undefined ? { accepted: false } : { accepted: true, step: Math.max(step, lastStep) };
  });
  if (verdict !== 'accepted') {
    await deps.record({ ...enrolment(session, requestId), outcome: 'refused', reason: 'INVALID_CODE' });
    return verdict;
  }
  const recoveryCodes = newRecoveryCodes(deps.randomBytes);
  const sealedCodes = await sealRecoveryCodes(key, recoveryCodes);
  const cookie = await deps.db.system((tx) =>
    activate(deps, tx, { session, requestId, secret: pending.secret, sealedCodes }),
  );
  return cookie === undefined ? 'refused' : { recoveryCodes, cookie };
}

type Activation = { session: BrowserSession; requestId: string; secret: string; sealedCodes: string };

/** The session's new cookie; undefined when another confirmation was faster. */
async function activate(deps: Dependencies, tx: Tx, { session, requestId, secret, sealedCodes }: Activation) {
  const sql = sqlClient(tx);
  const user = session.identityUserId;
  await sql.query('select 1 from identity."user" where "id" = $1 for update', [user]);
  const used = await sql.query(
    'delete from identity.pending_totp where user_id = $1 and secret = $2 returning user_id',
    [user, secret],
  );
  if (used.rows.length === 0) return undefined;
  await sql.query('delete from identity."twoFactor" where "userId" = $1', [user]);
  await sql.query(
    `insert into identity."twoFactor" ("id", "secret", "backupCodes", "userId", "verified")
     values ($1, $2, $3, $4, true)`,
    [deps.ids(), secret, sealedCodes, user],
  );
  await sql.query('update identity."user" set "twoFactorEnabled" = true, "updatedAt" = $2 where "id" = $1', [
    user,
    deps.now(),
  ]);
  await sql.query('delete from identity."session" where "userId" = $1 and "id" <> $2', [user, session.id]);
  await sql.query('delete from identity."verification" where "value" = $1', [user]);
  // Throws when it was ended while we were looking at the code, perhaps because it was stolen: then nothing of this happens.
  const cookie = await deps.sessions.renew(sql, session.id, 'second_factor');
  await deps.mail.queue(tx, deps.mails.authenticatorSetUp(session.email));
  await deps.record({ ...enrolment(session, requestId), outcome: 'ok' }, tx);
  return cookie;
}

function enrolment({ externalId }: BrowserSession, requestId: string) {
  return { externalId, action: 'totp.enrol', requestId } as const;
}

async function regenerate(deps: Dependencies, session: BrowserSession, requestId: string): Promise<string[]> {
  const { secretConfig: key } = await deps.provider.$context;
  const recoveryCodes = newRecoveryCodes(deps.randomBytes);
  const sealed = await sealRecoveryCodes(key, recoveryCodes);
  await deps.db.system(async (tx) => {
    const changed = await sqlClient(tx).query(
      'update identity."twoFactor" set "backupCodes" = $2 where "userId" = $1 and "verified" returning "id"',
      [session.identityUserId, sealed],
    );
    if (changed.rows.length === 0) throw new AppError('CONFLICT', { message: 'Set up an authenticator app first.' });
    await deps.mail.queue(tx, deps.mails.recoveryCodesMade(session.email));
    const { externalId } = session;
    await deps.record({ externalId, action: 'recovery_codes.regenerate', outcome: 'ok', requestId }, tx);
  });
  return recoveryCodes;
}
