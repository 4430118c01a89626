import type { ClientBase } from 'pg';
import { RESTORE_FENCE_MIGRATION } from '../../modules/restore-fence/restore-fence-migrations.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest, TableFacts } from './backup-manifest.ts';
import { copyOut } from './copy-stream.ts';
import { COPY_SETTINGS, copyRows, listTables, nameOf, passesRowSecurity, readAs } from './database-tables.ts';
import { writePacked } from './packed-file.ts';

export type DatabaseBackup = Pick<Manifest, 'taken_at' | 'migrations' | 'tables' | 'sequences'> & {
  /** Batches of events that were known, or being written, at the snapshot. */
  batches: ReadonlySet<string>;
  /** No event of them was received later. */
  receivedUntil: Date;
};

/** Clocks of servers and database may differ by less than this. */
const CLOCKS_DIFFER = '10 minutes';

/**
 * All tables as they are at one moment, while the installation works on: one transaction that only reads, and that reads
 * the same state to its end.
 */
export async function backUpDatabase(
  client: ClientBase,
  to: { folder: string; say: (line: string) => void },
): Promise<DatabaseBackup> {
  await client.query('begin isolation level repeatable read read only');
  await client.query(COPY_SETTINGS);
  // Before the snapshot, which the first statement that reads takes.
  const takenAt = new Date();
  const migrations = await listMigrations(client);
  await requireWholeInstallation(client, migrations);
  const passes = await passesRowSecurity(client);
  const receivedUntil = await lastReceived(client, takenAt);
  const batches = await recentBatches(client, { moment: takenAt, receivedUntil });
  const tables: TableFacts[] = [];
  let rows = 0;
  for (const table of await listTables(client)) {
    await readAs(client, table, passes);
    const { schema, name, columns } = table;
    const path = `database/${schema}.${name}.copy.gz`;
    const { lines, content_sha256, ...file } = await writePacked(to.folder, path, copyOut(client, copyRows(table)));
    tables.push({ schema, name, columns, rows: lines, rows_sha256: content_sha256, ...file });
    rows += lines;
  }
  await client.query('set local role none');
  const sequences = await listSequences(client);
  await client.query('commit');
  to.say(`Database: ${tables.length} tables, ${rows} rows.`);
  return { taken_at: takenAt.toISOString(), migrations, tables, sequences, batches, receivedUntil };
}

/** A restore that broke off leaves rows of which nobody knows whether they are all there. */
async function requireWholeInstallation(client: ClientBase, migrations: Manifest['migrations']): Promise<void> {
  if (!migrations.some(({ id }) => id === RESTORE_FENCE_MIGRATION)) return;
  const { rowCount } = await client.query(`select from public.restore_fence where state = 'restoring'`);
  if (rowCount === 0) return;
  throw new BackupError(
    'A restore into this installation is under way or broke off: there is nothing whole to back up. Restore it first.',
  );
}

/**
 * Batches of events that are on their way at the snapshot, and noted only after it. Their events must not be in the
 * backup: their sender would repeat them to the restored installation, which would take them for new.
 */
export async function lateBatches(
  client: ClientBase,
  known: Pick<DatabaseBackup, 'batches' | 'receivedUntil'> & { moment: Date },
): Promise<Set<string>> {
  await client.query('begin read only');
  const recent = await recentBatches(client, known);
  await client.query('commit');
  for (const id of known.batches) recent.delete(id);
  return recent;
}

export async function listMigrations(client: ClientBase): Promise<Manifest['migrations']> {
  const { rows: found } = await client.query(`select to_regclass('public.airdeck_migration') is not null as there`);
  if (found[0]?.there !== true)
    throw new BackupError('There is no installation in this database, so nothing to back up.');
  const { rows } = await client.query<{ id: string; checksum: string }>(
    'select id, checksum from public.airdeck_migration order by id',
  );
  return rows;
}

/** By the ids their events are stored under. A database that was not brought up to date yet has only one. */
async function recentBatches(client: ClientBase, { moment, receivedUntil }: { moment: Date; receivedUntil: Date }) {
  await readAs(client, batchTable, await passesRowSecurity(client));
  const { rows } = await client.query<{ id: string }>(
    `select coalesce(to_jsonb(b) ->> 'stored_as', b.id::text) as id from public.ingest_batch b
     where received_at <= $2 and taken_at > $1::timestamptz - interval '${CLOCKS_DIFFER}'`,
    [moment, receivedUntil],
  );
  return new Set(rows.map(({ id }) => id));
}

const batchTable = { schema: 'public', name: 'ingest_batch', columns: [], order: '', forced: true };

/** Where no batch is known any more, every event is older than the moment. */
async function lastReceived(client: ClientBase, moment: Date): Promise<Date> {
  await readAs(client, batchTable, await passesRowSecurity(client));
  const { rows } = await client.query<{ at: Date | null }>('select max(received_at) as at from public.ingest_batch');
  return rows[0]?.at ?? moment;
}

/** After the tables: a sequence may run ahead of its rows, never behind. */
async function listSequences(client: ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select schemaname as schema, sequencename as name from pg_sequences order by 1, 2`,
  );
  const sequences: Manifest['sequences'] = [];
  for (const sequence of rows) {
    const { rows: state } = await client.query<{ value: string }>(
      `select last_value::text as value from ${nameOf(sequence)} where is_called`,
    );
    const value = state[0]?.value;
    if (value !== undefined) sequences.push({ ...sequence, value });
  }
  return sequences;
}
