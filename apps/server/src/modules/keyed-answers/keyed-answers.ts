/** Answers to requests with an Idempotency-Key whose effect leaves nothing behind that the key could name. */
import { createHmac, hkdfSync } from 'node:crypto';
import type { RouteId } from '@airdeck/contracts/route-table';
import { AppError } from '../../http/app-error.ts';
import type { SignedInContext } from '../../http/handlers.ts';
import { idempotencyKeyOf } from '../../http/idempotency-key.ts';
import { keyedId, lockRequest } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';

const KEPT_MS = 24 * 3_600_000;

export type KeyedRequest = {
  readonly route: RouteId;
  readonly tenant: string;
  readonly context: Pick<SignedInContext, 'raw' | 'caller'>;
  /** Everything that makes it this request and not another one. */
  readonly asked: unknown;
};

export type KeyedAnswers = {
  /**
   * Acts and answers; the same request under the same key is answered the same for a day, without being done again. All of it
   * in the caller's transaction, of the tenant or of the system. Answers are kept as JSON and must hold no secret.
   * Throws IDEMPOTENCY_KEY_REUSED.
   */
  once<T>(tx: Tx, request: KeyedRequest, act: () => Promise<T>): Promise<T>;
  /** Forgets what is older. */
  purge(): Promise<void>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  /** The installation's. */
  secret: string;
  now: () => Date;
};

export function createKeyedAnswers({ db, secret, now }: Dependencies): KeyedAnswers {
  const hashKey = Buffer.from(hkdfSync('sha256', secret, '', 'keyed-answers', 32));

  return {
    async once<T>(tx: Tx, { route, tenant, context, asked }: KeyedRequest, act: () => Promise<T>): Promise<T> {
      const key = idempotencyKeyOf(context.raw.request.headers);
      if (key === undefined) return await act();
      const id = keyedId([route, tenant, context.caller.userId, key]);
      const hash = createHmac('sha256', hashKey).update(JSON.stringify(asked)).digest('base64url');
      await lockRequest(tx, id);
      const known = await tx
        .selectFrom('keyed_answer')
        .select(['request_hash', 'answer'])
        .where('tenant_id', '=', tenant)
        .where('id', '=', id)
        .executeTakeFirst();
      if (known !== undefined && known.request_hash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (known !== undefined) return known.answer as T;
      const answer = await act();
      const row = { id, tenant_id: tenant, request_hash: hash, answer: JSON.stringify(answer), at: now() };
      await tx.insertInto('keyed_answer').values(row).execute();
      return answer;
    },

    async purge() {
      const before = new Date(now().getTime() - KEPT_MS);
      await db.system((tx) => tx.deleteFrom('keyed_answer').where('at', '<', before).execute());
    },
  };
}
