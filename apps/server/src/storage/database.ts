import { CompiledQuery, type Transaction } from 'kysely';
import pg from 'pg';
import { keptAlive, sessionBounds, startedWith } from './connection-bounds.ts';
import { keepSession } from './kept-session.ts';
import { createNotifications, type Subscription } from './notifications.ts';
import { createReachability } from './reachability.ts';
import { APP_ROLE, SYSTEM_ROLE } from './roles.ts';
import type { Tables, Tx } from './schema.ts';
import { scopedKysely } from './scoped-driver.ts';
import { transientKind } from './sql-state.ts';
import { errorText, type StorageLog } from './storage-log.ts';
import { createWriteWatch, type WriteHandler } from './write-watch.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CONNECT_WITHIN_MS = 10_000;
const INT8 = 20;

/** Counts and sequence numbers fit a double; a text would break arithmetic silently. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

export interface Database {
  /**
   * Runs `work` in a transaction that sees and writes rows of one tenant only. Commits when `work` resolves, rolls back
   * when it throws. Throws for anything that is not a UUID before it touches the database.
   */
  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for work that only looks: one round trip less, and the database refuses whatever would write. */
  read<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A transaction over all tenants, for engine, ingestion and sign-in; the caller names the tenants itself. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Calls `handler` with every payload announced on `channel` until the returned function is called. After a lost
   * connection `onGap` is called, because announcements may have been missed; `onLost` the moment it is lost.
   */
  listen(
    channel: string,
    handler: (payload: string) => void,
    onGap?: () => void,
    onLost?: () => void,
  ): Promise<() => Promise<void>>;
  /** A session of its own until the returned function is called; `onOpen` runs on it, and again on each that replaces it. */
  keepSession(onOpen: (session: SqlClient) => Promise<unknown>): Promise<() => Promise<void>>;
  /**
   * Calls `handler` after every commit through this object that wrote to one of the tables, before whoever committed
   * goes on, with the tenant it was for; undefined where it was over all. Returns what ends that. Other processes are heard
   * by `listen` only.
   */
  afterCommit(tables: readonly string[], handler: WriteHandler): () => void;
  /**
   * Resolves when the database answers and both roles may be taken, also while every connection of the pools is in use; rejects
   * with the reason.
   */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export type DatabaseOptions = {
  url: string;
  log: StorageLog;
  /** Connections per role; the embedded server allows 40 in all. */
  poolSize?: { app: number; system: number };
  connectWithinMs?: number;
};

export function openDatabase(options: DatabaseOptions): Database {
  const { url, log, poolSize = { app: 10, system: 14 }, connectWithinMs = CONNECT_WITHIN_MS } = options;
  const app = openPool({ url, log, role: APP_ROLE, max: poolSize.app, connectWithinMs });
  const system = openPool({ url, log, role: SYSTEM_ROLE, max: poolSize.system, connectWithinMs });
  const notifications = createNotifications({ url, log, connectWithinMs });
  const reachability = createReachability({ url, log, connectWithinMs });
  const writes = createWriteWatch();
  const systemKysely = scopedKysely<Tables>(system, { begin: 'begin' }, writes);

  return {
    async tenant(tenantId, work) {
      const begin = `begin; ${setTenant(tenantId)}`;
      return await scopedKysely<Tables>(app, { begin, early: true, tenantId }, writes).transaction().execute(work);
    },
    async read(tenantId, work) {
      const begin = `begin read only; ${setTenant(tenantId)}`;
      return await scopedKysely<Tables>(app, { begin, early: true, reads: true }).transaction().execute(work);
    },
    system: (work) => systemKysely.transaction().execute(work),
    listen: (channel, handler, onGap, onLost) =>
      notifications.listen(channel, { handler, onGap, onLost } satisfies Subscription),
    keepSession: (onOpen) => keepSession({ url, log, onOpen: (client) => onOpen(plainClient(client)) }),
    afterCommit: writes.watch,
    ready: reachability.ask,
    async close() {
      await Promise.all([notifications.close(), reachability.close(), app.end(), system.end()]);
    },
  };
}

/** The one place where an id becomes part of a text of SQL: `set` takes no parameters. */
function setTenant(tenantId: string): string {
  if (!UUID.test(tenantId)) throw new Error('A tenant id must be a UUID.');
  return `set local airdeck.tenant = '${tenantId.toLowerCase()}'`;
}

/**
 * Repeats `work` once when the database asked for it: serialization failure or deadlock. A lost connection is not repeated,
 * because the first try may have been committed; nor is a lock that was waited for in vain, because whoever holds it still
 * does, and who asked would wait twice as long.
 */
export async function repeatOnConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const kind = transientKind(error);
    if (kind !== 'serialization' && kind !== 'deadlock') throw error;
    return await work();
  }
}

/** Plain SQL inside a transaction: the port through which code without a query builder works. */
export interface SqlClient {
  query<Row>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>;
}

/** The same transaction as `tx`; lives as long as that. */
export function sqlClient<T>(tx: Transaction<T>): SqlClient {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const result = await tx.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
      const rowCount = result.numAffectedRows === undefined ? null : Number(result.numAffectedRows);
      return { rows: result.rows, rowCount };
    },
  };
}

/** Outside any transaction. */
export function plainClient(client: pg.Client): SqlClient {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows, rowCount } = await client.query(text, [...values]);
      return { rows: rows as Row[], rowCount };
    },
  };
}

type PoolOptions = Required<Omit<DatabaseOptions, 'poolSize'>> & { role: string; max: number };

function openPool({ url, log, role, max, connectWithinMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: role,
    // As a start-up option the role is what RESET returns to, and no session ever acts as the owner of the tables.
    options: startedWith([`role=${role}`, 'search_path=public', ...sessionBounds]),
    max,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 30_000,
    ...keptAlive,
    pipeline: true,
    types,
  });
  // An idle connection that ends (57P01 at shutdown) would otherwise end our process.
  pool.on('error', (error) => {
    const write = pool.ending ? log.debug : log.warn;
    write.call(log, { role, error: errorText(error) }, 'idle database connection lost');
  });
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ role, error: errorText(error) }, 'database connection lost'));
  });
  return pool;
}
