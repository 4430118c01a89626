import type { ColumnType } from 'kysely';

export type KeyedAnswersTables = {
  /** What requests with an Idempotency-Key were answered that leave no row of their own behind to be found again. */
  keyed_answer: {
    /** Made of route, tenant, person and key. */
    id: string;
    tenant_id: string;
    /** Tells another request under the same key. Keyed itself, as requests may hold secrets. */
    request_hash: string;
    answer: ColumnType<unknown, string, never>;
    at: Date;
  };
};
