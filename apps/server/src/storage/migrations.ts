/**
 * Ordered, forward-only migrations.
 *
 * All starters take the same advisory lock, so one of them migrates and the others wait and find nothing to do. Each
 * migration is one transaction together with its record; a crash leaves it done or not begun. A recorded migration whose
 * text changed stops the start: the database would no longer be what the code says. One that is recorded and unknown here is
 * of a later release, and none of our business: it left what we know as it was (`release-before.test.ts`).
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { keepalives, keptAlive, startedWith } from './connection-bounds.ts';
import { APP_ROLE, ensureRoles, SYSTEM_ROLE } from './roles.ts';
import { sqlStateOf } from './sql-state.ts';
import { errorText, type StorageLog } from './storage-log.ts';
import { StorageStartError } from './storage-start-error.ts';
import { systemTable, tenantTable } from './tenant-table.ts';

/** An empty database runs more than anybody wants to read. */
const NEWEST_NAMED = 5;
const ADVISORY_LOCK = 4_715_003_118;
const LOCK_ATTEMPTS = 5;
const CONNECT_WITHIN_MS = 10_000;
/** A lock that was not to be had in time, or only by way of a deadlock with who works beside it. */
const BUSY_STATES = new Set(['55P03', '40P01']);

export type Migration = {
  /** Unique, and never changed once released: `0001-tenants`. */
  id: string;
  /** Hands over the statements; a statement may be several, ended by semicolons. Must not depend on anything but the code. */
  up(sql: (statements: string) => void): void;
};

export type MigrationReport = { applied: string[]; alreadyThere: number };

export type MigrateOptions = {
  url: string;
  migrations: readonly Migration[];
  log: StorageLog;
  /** The default is ten seconds. */
  connectWithinMs?: number;
};

export type ExternalMigration = {
  id: string;
  sql: string;
  tenantTables?: readonly string[];
  systemTables?: readonly string[];
};

/** Makes a migration of a package's own SQL, and puts its tables of tenants under row-level security. */
export function externalMigration(source: ExternalMigration): Migration {
  return {
    id: source.id,
    up(sql) {
      sql(source.sql);
      const { tenantTables = [], systemTables = [] } = source;
      const schemas = new Set(tenantTables.flatMap((name) => (name.includes('.') ? [name.split('.', 1)[0]] : [])));
      for (const schema of schemas) sql(`grant usage on schema ${schema} to ${APP_ROLE}, ${SYSTEM_ROLE}`);
      for (const name of tenantTables) sql(tenantTable(name));
      for (const name of systemTables) sql(systemTable(name));
    },
  };
}

/** Brings the database up to date. Safe to call from any number of processes at once. Throws `StorageStartError`. */
export async function migrate(options: MigrateOptions): Promise<MigrationReport> {
  const { url, migrations, log, connectWithinMs = CONNECT_WITHIN_MS } = options;
  assertUniqueIds(migrations);
  const client = new pg.Client({
    connectionString: url,
    application_name: 'airdeck-migrate',
    // A start that waits for a server that takes calls and never answers would neither end nor say why.
    connectionTimeoutMillis: connectWithinMs,
    // A machine that vanishes gives up the lock with its connection. No bound besides: a migration may take its time.
    ...keptAlive,
    options: startedWith(keepalives),
  });
  client.on('error', (error) => log.warn({ error: errorText(error) }, 'migration connection lost'));
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCK]);
    // What a power cut takes back is done again, and nothing that came after it is kept without it.
    await client.query('set synchronous_commit = off');
    await ensureRoles(client);
    await client.query(`create table if not exists public.airdeck_migration (
      id text primary key, checksum text not null, applied_at timestamptz not null default now(), ms integer not null)`);
    return await applyMissing(client, migrations, log);
  } finally {
    // Ending the session releases the lock also when the connection is what failed.
    await client.end().catch((error: unknown) => log.debug({ error: errorText(error) }, 'closing after migration'));
  }
}

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
  log: StorageLog,
): Promise<MigrationReport> {
  const { rows } = await client.query<{ id: string; checksum: string }>(
    'select id, checksum from public.airdeck_migration',
  );
  const recorded = new Map(rows.map((row) => [row.id, row.checksum]));
  const applied: string[] = [];
  for (const migration of migrations) {
    const text = migrationText(migration);
    const checksum = migrationChecksum(migration);
    const known = recorded.get(migration.id);
    if (known === checksum) continue;
    if (known !== undefined) {
      throw new StorageStartError(
        'MIGRATION_CHANGED',
        `The migration ${migration.id} was changed after this database had run it: restore its text and add a new migration instead.`,
      );
    }
    await applyOne({ client, id: migration.id, text, checksum, log });
    applied.push(migration.id);
  }
  const newest = applied.slice(-NEWEST_NAMED);
  if (applied.length > 0) log.info({ applied: applied.length, newest }, 'database migrated');
  return { applied, alreadyThere: migrations.length - applied.length };
}

type Step = { client: pg.Client; id: string; text: string; checksum: string; log: StorageLog };

/** Waits for locks only briefly, because everything that queues behind a waiting ALTER TABLE stands still with it. */
async function applyOne({ client, id, text, checksum, log }: Step): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const started = performance.now();
    try {
      await client.query(`begin; set local lock_timeout = '2s'`);
      await client.query(text);
      await client.query('insert into public.airdeck_migration (id, checksum, ms) values ($1, $2, $3)', [
        id,
        checksum,
        Math.round(performance.now() - started),
      ]);
      await client.query('commit');
      return;
    } catch (cause) {
      await client.query('rollback').catch(() => undefined);
      if (BUSY_STATES.has(sqlStateOf(cause) ?? '') && attempt < LOCK_ATTEMPTS) {
        log.warn({ migration: id, attempt }, 'a table is busy, trying the migration again');
        continue;
      }
      throw new StorageStartError('MIGRATION_FAILED', `The migration ${id} failed: ${errorText(cause)}`, { cause });
    }
  }
}

/** All statements of a migration; what its checksum is taken from. */
export function migrationText(migration: Migration): string {
  const parts: string[] = [];
  migration.up((statements) => {
    parts.push(statements.trim().replace(/;$/, ''));
  });
  return parts.join(';\n');
}

export function migrationChecksum(migration: Migration): string {
  return createHash('sha256').update(migrationText(migration)).digest('hex');
}

function assertUniqueIds(migrations: readonly Migration[]): void {
  const seen = new Set<string>();
  for (const { id } of migrations) {
    if (seen.has(id)) throw new Error(`Two migrations are called ${id}.`);
    seen.add(id);
  }
}
