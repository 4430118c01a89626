/**
 * Kysely's driver for one kind of transaction. Its begin carries the tenant in the same round trip, so no statement can
 * run between the two. A client whose rollback failed is closed instead of going back to the pool: whatever it still
 * holds (an open transaction, a tenant) must not reach the next user.
 */
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

type Connection = DatabaseConnection & { client: PoolClient; broken: boolean };

export function scopedKysely<T>(pool: Pool, begin: string): Kysely<T> {
  return new Kysely<T>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => scopedDriver(pool, begin),
    },
  });
}

function scopedDriver(pool: Pool, begin: string): Driver {
  return {
    init: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
    async acquireConnection() {
      return connectionOf(await pool.connect());
    },
    releaseConnection(connection) {
      const { client, broken } = connection as Connection;
      client.release(broken);
      return Promise.resolve();
    },
    async beginTransaction(connection) {
      const own = connection as Connection;
      try {
        await own.client.query(begin);
      } catch (error) {
        own.broken = true;
        throw error;
      }
    },
    async commitTransaction(connection) {
      await settle(connection as Connection, 'commit');
    },
    async rollbackTransaction(connection) {
      await settle(connection as Connection, 'rollback');
    },
  };
}

async function settle(connection: Connection, command: 'commit' | 'rollback'): Promise<void> {
  try {
    await connection.client.query(command);
    connection.broken = false;
  } catch (error) {
    connection.broken = true;
    throw error;
  }
}

function connectionOf(client: PoolClient): Connection {
  return {
    client,
    broken: false,
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = await client.query(query.sql, [...query.parameters]);
      const rows = result.rows as R[];
      return result.rowCount === null ? { rows } : { rows, numAffectedRows: BigInt(result.rowCount) };
    },
    // biome-ignore lint/correctness/useYield: the interface asks for a generator; long reads page by key instead.
    async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
      throw new Error('Streaming a query is not supported: page by key.');
    },
  };
}
