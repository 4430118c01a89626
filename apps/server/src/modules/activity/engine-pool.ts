import type { KeepSession, Listen, SqlClient, SqlPool } from '@airdeck/engine/interfaces';
import type { Database } from '../../storage/database.ts';
import { sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';

/**
 * The engine speaks plain SQL through its own port, our modules speak Kysely: both in one transaction, so that a step's
 * result, the case's story and the audit record commit together or not at all.
 */
export type EnginePool = {
  pool: SqlPool;
  listen: Listen;
  keepSession: KeepSession;
  /** The engine's view of a transaction of ours. */
  client(tx: Tx): SqlClient;
  /** Our view of a transaction the engine opened. */
  transactionOf(client: SqlClient): Tx;
};

export function createEnginePool(db: Pick<Database, 'system' | 'listen' | 'keepSession'>): EnginePool {
  const transactions = new WeakMap<SqlClient, Tx>();
  function client(tx: Tx): SqlClient {
    const view = sqlClient(tx);
    transactions.set(view, tx);
    return view;
  }
  return {
    client,
    pool: { transaction: (work) => db.system((tx) => work(client(tx))) },
    listen: (channel, handler) => db.listen(channel, handler),
    keepSession: db.keepSession,
    transactionOf(view) {
      const tx = transactions.get(view);
      if (!tx) throw new Error('This SQL client does not belong to a transaction of ours.');
      return tx;
    },
  };
}
