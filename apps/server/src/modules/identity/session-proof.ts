import { AppError } from '../../http/app-error.ts';
import type { SqlClient } from '../../storage/database.ts';
import type { BrowserSession } from './browser-sessions.ts';

/** Sensitive changes ask who it is again after this long; the sign-in itself counts as a proof. */
export const PROOF_COUNTS_FOR_MS = 10 * 60_000;

/** Throws REAUTHENTICATION_REQUIRED when the person last proved who they are too long ago. */
export function requireFresh(session: Pick<BrowserSession, 'startedAt' | 'provenAt'>, now: Date): void {
  const provenAt = session.provenAt ?? session.startedAt;
  if (now.getTime() - provenAt.getTime() > PROOF_COUNTS_FOR_MS) throw new AppError('REAUTHENTICATION_REQUIRED');
}

/**
 * Throws REAUTHENTICATION_REQUIRED for a session begun with the password alone when a passkey is the account's only other
 * factor: whoever knows the password could otherwise add a factor of their own beside it.
 */
export async function requireOwnFactor(
  sql: SqlClient,
  session: Pick<BrowserSession, 'identityUserId' | 'method' | 'strong'>,
): Promise<void> {
  if (session.strong || session.method?.startsWith('external:')) return;
  const { rowCount } = await sql.query(
    `select 1 from identity."user" u where u."id" = $1 and u."twoFactorEnabled" is not true
       and exists (select 1 from identity.passkey p where p.user_id = u."id")`,
    [session.identityUserId],
  );
  if (rowCount === 0) return;
  throw new AppError('REAUTHENTICATION_REQUIRED', { message: 'Sign in with your passkey first.' });
}
