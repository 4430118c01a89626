/**
 * Kysely's driver for one kind of transaction. Its begin carries the tenant in the same round trip, so no statement can
 * run between the two. A client whose rollback failed is closed instead of going back to the pool: whatever it still
 * holds (an open transaction, a tenant) must not reach the next user.
 *
 * Connections are pipelined: statements are written without waiting for the answers of those before, and answered in
 * that order. An `early` transaction sends its begin together with its first statement. Should the begin fail, that
 * statement runs without a tenant, where row-level security shows nothing and takes nothing, and its answer is not used.
 * One that only reads does not wait for its commit either: there is nothing in it that could be lost.
 */
import type { Socket } from 'node:net';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { sqlStateOf } from './sql-state.ts';
import type { WriteHandler, WriteWatch } from './write-watch.ts';

/** Texts that were seen twice, with the names they are prepared under; the cap keeps generated texts from filling servers. */
const statementNames = new Map<string, string>();
const seenOnce = new Set<string>();
const MAX_PREPARED = 400;

/**
 * A text that comes again is prepared under a name, once per connection: planning costs more than most of our statements.
 * Kysely writes another text for another number of values, so only the first few hundred get names.
 */
function preparedStatement({ sql, parameters }: CompiledQuery) {
  const values = [...parameters];
  const known = statementNames.get(sql);
  if (known !== undefined) return { name: known, text: sql, values };
  if (!seenOnce.has(sql)) {
    if (seenOnce.size >= MAX_PREPARED * 4) seenOnce.clear();
    seenOnce.add(sql);
    return { text: sql, values };
  }
  if (statementNames.size >= MAX_PREPARED || answersAllColumns(sql)) return { text: sql, values };
  const name = `s${statementNames.size}`;
  statementNames.set(sql, name);
  return { name, text: sql, values };
}

const INNERMOST = /\([^()]*\)/g;
const ALL_COLUMNS = /\*\s*(?:,|;|$|from\b)/i;

/**
 * PostgreSQL refuses a prepared statement once its answer has another shape ("cached plan must not change result type"), so
 * one that answers `*` would fail in every process that is older than a column. What is in parentheses may say it.
 */
function answersAllColumns(sql: string): boolean {
  if (!sql.includes('*')) return false;
  let outer = sql;
  for (let before = ''; before !== outer; ) {
    before = outer;
    outer = outer.replace(INNERMOST, ' ');
  }
  return ALL_COLUMNS.test(outer);
}

type Connection = DatabaseConnection & {
  client: PoolClient;
  broken: boolean;
  wrote: Set<WriteHandler>;
  /** Settles with the answer to the begin; never rejects unheard. */
  begun: Promise<unknown>;
};

export type TransactionKind = {
  /** Statements that begin it, the tenant's included. */
  readonly begin: string;
  /** Only where row-level security refuses what comes without a tenant. */
  readonly early?: boolean;
  /** The database itself must refuse to write: `begin read only`. */
  readonly reads?: boolean;
  /** Whose rows it can write; those of all tenants by default. */
  readonly tenantId?: string;
};

export function scopedKysely<T>(pool: Pool, kind: TransactionKind, writes?: Pick<WriteWatch, 'handlersOf'>): Kysely<T> {
  return new Kysely<T>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => scopedDriver(pool, kind, writes),
    },
  });
}

function scopedDriver(pool: Pool, kind: TransactionKind, writes: Pick<WriteWatch, 'handlersOf'> | undefined): Driver {
  return {
    init: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
    async acquireConnection() {
      return connectionOf(await pool.connect().catch(unreached), writes);
    },
    releaseConnection(connection) {
      const { client, broken } = connection as Connection;
      client.release(broken);
      return Promise.resolve();
    },
    async beginTransaction(connection) {
      const own = connection as Connection;
      own.begun = own.client.query(kind.begin).catch(lost);
      own.begun.catch(() => {
        own.broken = true;
      });
      if (kind.early === true) sendTogether(own.client);
      else await own.begun;
    },
    async commitTransaction(connection) {
      const own = connection as Connection;
      if (kind.reads === true) {
        own.client.query('commit').catch(() => undefined);
        return;
      }
      await own.begun;
      await settle(own, 'commit');
      for (const handler of own.wrote) handler(kind.tenantId);
    },
    async rollbackTransaction(connection) {
      // Its connection is closed then, and with it the transaction is over; why it was to be rolled back says more.
      await settle(connection as Connection, 'rollback').catch(() => undefined);
    },
  };
}

/**
 * A connection that broke, by the words of the driver: those errors carry no code unless the system has one for it. Whether a
 * commit took place is unknown.
 */
const LOST = /^(?:Connection terminated|Client (?:has encountered a connection error|was closed))/;

function lost(error: unknown): never {
  if (sqlStateOf(error) !== undefined || !(error instanceof Error) || !LOST.test(error.message)) throw error;
  throw Object.assign(new Error('The connection to the database broke.', { cause: error }), { code: 'ECONNRESET' });
}

/** A connection that is not there in time is an error without a code, and looked like a fault of ours. Nothing has begun. */
function unreached(error: unknown): never {
  if (sqlStateOf(error) !== undefined) throw error;
  const late = new Error('The database could not be reached in time.', { cause: error });
  throw Object.assign(late, { code: 'ETIMEDOUT' });
}

/** What is written until the current work pauses leaves in one piece. `pg` has the connection, its types do not. */
function sendTogether(client: PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function settle(connection: Connection, command: 'commit' | 'rollback'): Promise<void> {
  try {
    await connection.client.query(command).catch(lost);
    connection.broken = false;
  } catch (error) {
    connection.broken = true;
    throw error;
  }
}

function connectionOf(client: PoolClient, writes: Pick<WriteWatch, 'handlersOf'> | undefined): Connection {
  const wrote = new Set<WriteHandler>();
  const own: Connection = {
    client,
    broken: false,
    wrote,
    begun: Promise.resolve(),
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      for (const handler of writes?.handlersOf(query.sql) ?? []) wrote.add(handler);
      const [result] = await Promise.all([client.query(preparedStatement(query)).catch(lost), own.begun]);
      const rows = result.rows as R[];
      return result.rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(result.rowCount) };
    },
    // biome-ignore lint/correctness/useYield: the interface asks for a generator; long reads page by key instead.
    async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
      throw new Error('Streaming a query is not supported: page by key.');
    },
  };
  return own;
}
