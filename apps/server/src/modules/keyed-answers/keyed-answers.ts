/** Answers to requests with an Idempotency-Key whose effect leaves nothing behind that the key could name. */
import { createHmac, hkdfSync } from 'node:crypto';
import type { RouteId } from '@airdeck/contracts/route-table';
import { storableJson } from '@airdeck/domain/storable-json';
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
   * in the caller's transaction, of the tenant or of the system. Answers are kept as JSON and must hold no secret; all of them
   * are kept unless `keeps` says otherwise. Throws IDEMPOTENCY_KEY_REUSED.
   */
  once<T>(tx: Tx, request: KeyedRequest, act: () => Promise<T>, keeps?: (answer: T) => boolean): Promise<T>;
  /** What the same request was answered, undefined for a new one: before questions are asked that it has answered already. */
  answered<T>(tx: Tx, request: KeyedRequest): Promise<T | undefined>;
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

  function named({ route, tenant, context, asked }: KeyedRequest) {
    const key = idempotencyKeyOf(context.raw.request.headers);
    if (key === undefined) return undefined;
    return {
      tenant,
      id: keyedId([route, tenant, context.caller.userId, key]),
      hash: createHmac('sha256', hashKey).update(JSON.stringify(asked)).digest('base64url'),
    };
  }

  async function find(tx: Tx, { tenant, id, hash }: { tenant: string; id: string; hash: string }) {
    const known = await tx
      .selectFrom('keyed_answer')
      .select(['request_hash', 'answer'])
      .where('tenant_id', '=', tenant)
      .where('id', '=', id)
      .executeTakeFirst();
    if (known !== undefined && known.request_hash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return known;
  }

  return {
    async once<T>(tx: Tx, request: KeyedRequest, act: () => Promise<T>, keeps?: (answer: T) => boolean): Promise<T> {
      const name = named(request);
      if (name === undefined) return await act();
      await lockRequest(tx, name.id);
      const known = await find(tx, name);
      if (known !== undefined) return known.answer as T;
      const answer = await act();
      if (keeps?.(answer) === false) return answer;
      const row = { id: name.id, tenant_id: name.tenant, request_hash: name.hash };
      await tx
        .insertInto('keyed_answer')
        .values({ ...row, answer: storableJson(answer), at: now() })
        .execute();
      return answer;
    },

    async answered<T>(tx: Tx, request: KeyedRequest): Promise<T | undefined> {
      const name = named(request);
      return name && ((await find(tx, name))?.answer as T | undefined);
    },

    async purge() {
      const before = new Date(now().getTime() - KEPT_MS);
      await db.system((tx) => tx.deleteFrom('keyed_answer').where('at', '<', before).execute());
    },
  };
}
