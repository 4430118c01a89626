/**
 * The questions of 449. A call without the header is noted under user, route, tenant and object and answered with the question;
 * its repetition with the header uses the note up. One note lets one call through, whatever number of them arrive at
 * once, because it is deleted by the statement that finds it. A passphrase may be wrong five times; each is audited.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../http/app-error.ts';
import { type Confirmations, confirmBody, type Question } from '../../http/confirmation.ts';
import type { RefusalLog } from '../../http/refusal-log.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';

const ANSWER_WITHIN_MS = 5 * 60_000;
const WRONG_PASSPHRASES_MAX = 5;
const LOCKED_MS = 15 * 60_000;

type Dependencies = { db: Pick<Database, 'system'>; refusals: RefusalLog; now: () => Date };
type Key = { user_id: string; route_id: string };

export function createConfirmations({ db, refusals, now }: Dependencies): Confirmations {
  return {
    async confirm({ caller, tenant, routeId, requestId, headers, question }) {
      const key = { user_id: caller.userId, route_id: routeId };
      const object_hash = createHash('sha256')
        .update(JSON.stringify([tenant, question.object]))
        .digest('hex');
      if (!headers.confirmed) {
        await db.system((tx) => note(tx, { ...key, object_hash, at: now() }));
        throw required(question);
      }
      const verdict = await db.system(async (tx) => {
        if (!(await judge(tx, key, { question, passphrase: headers.passphrase, at: now() }))) return 'wrong';
        return (await consume(tx, { ...key, object_hash, at: now() })) ? 'confirmed' : 'not_asked';
      });
      if (verdict === 'wrong') {
        const code = 'CONFIRMATION_WRONG';
        await refusals.note({ tenant, caller, routeId, code, requestId });
        throw new AppError(code);
      }
      if (verdict === 'confirmed') return;
      await db.system((tx) => note(tx, { ...key, object_hash, at: now() }));
      throw required(question);
    },
  };
}

function required(question: Question): AppError {
  return new AppError('CONFIRMATION_REQUIRED', { confirm: confirmBody(question) });
}

type Note = Key & { object_hash: string; at: Date };

async function note(tx: Tx, { at, ...row }: Note): Promise<void> {
  const expires_at = new Date(at.getTime() + ANSWER_WITHIN_MS);
  await tx.deleteFrom('confirmation').where('user_id', '=', row.user_id).where('expires_at', '<=', at).execute();
  await tx
    .insertInto('confirmation')
    .values({ ...row, expires_at })
    .onConflict((conflict) => conflict.columns(['user_id', 'route_id', 'object_hash']).doUpdateSet({ expires_at }))
    .execute();
}

async function consume(tx: Tx, { at, ...row }: Note): Promise<boolean> {
  const used = await tx
    .deleteFrom('confirmation')
    .where('user_id', '=', row.user_id)
    .where('route_id', '=', row.route_id)
    .where('object_hash', '=', row.object_hash)
    .where('expires_at', '>', at)
    .returning('user_id')
    .executeTakeFirst();
  return used !== undefined;
}

type Guess = { question: Question; passphrase: string | undefined; at: Date };

/** Throws RATE_LIMITED while locked. The row is locked while it is judged, so parallel guesses are counted exactly. */
async function judge(tx: Tx, key: Key, { question, passphrase, at }: Guess): Promise<boolean> {
  if (question.passphrase === undefined) return true;
  const row = await tx
    .insertInto('confirmation_guesses')
    .values({ ...key, failures: 0, locked_until: null })
    .onConflict((conflict) => conflict.columns(['user_id', 'route_id']).doUpdateSet({ route_id: key.route_id }))
    .returning(['failures', 'locked_until'])
    .executeTakeFirstOrThrow();
  if (row.locked_until !== null && row.locked_until > at) {
    const retryAfterS = Math.ceil((row.locked_until.getTime() - at.getTime()) / 1000);
    throw new AppError('RATE_LIMITED', { retryAfterS, message: 'Too many wrong attempts. Try again later.' });
  }
  const isRight = passphrase !== undefined && equals(passphrase.trim(), question.passphrase.expected);
  const failures = isRight ? 0 : (row.locked_until === null ? row.failures : 0) + 1;
  const locked_until = failures >= WRONG_PASSPHRASES_MAX ? new Date(at.getTime() + LOCKED_MS) : null;
  await tx
    .updateTable('confirmation_guesses')
    .set({ failures, locked_until })
    .where('user_id', '=', key.user_id)
    .where('route_id', '=', key.route_id)
    .execute();
  return isRight;
}

function equals(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
