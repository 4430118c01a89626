/**
 * Loads the tables of a backup into a database that has just been migrated to exactly the state of the backup.
 *
 * One transaction: what keeps rows from being loaded in any order (foreign keys, triggers, forced row-level security) is
 * taken away, the rows are loaded and read back, and everything is put on again, which also proves every foreign key. A
 * crash leaves the empty tables as the migrations made them.
 */
import type { ClientBase } from 'pg';
import { BackupError } from './backup-error.ts';
import type { Manifest, TableFacts } from './backup-manifest.ts';
import { copyIn, copyOut } from './copy-stream.ts';
import { COPY_SETTINGS, copyRows, listTables, nameOf, type Table } from './database-tables.ts';
import { measure, readPacked } from './packed-file.ts';

export async function restoreDatabase(
  client: ClientBase,
  from: { folder: string; manifest: Manifest; say: (line: string) => void },
): Promise<void> {
  const { folder, manifest, say } = from;
  await client.query('begin');
  await client.query(COPY_SETTINGS);
  const tables = await listTables(client);
  requireSameTables(tables, manifest.tables);
  const keys = await takeAwayGuards(client, tables);
  let rows = 0;
  for (const facts of manifest.tables) {
    const name = nameOf(facts);
    await client.query(`delete from ${name}`);
    await copyIn(client, `copy ${name} (${facts.columns.join(', ')}) from stdin`, readPacked(folder, facts.path));
    rows += facts.rows;
  }
  for (const { schema, name, value } of manifest.sequences) {
    await client.query('select pg_catalog.setval($1::regclass, $2)', [nameOf({ schema, name }), value]);
  }
  say(`Database: ${manifest.tables.length} tables, ${rows} rows loaded; reading them back.`);
  await verifyRows(client, tables, manifest.tables);
  await putGuardsBack(client, tables, keys);
  await client.query('commit');
  await client.query('analyze');
}

/** Names in the manifest become part of statements only when the database has the very same ones. */
function requireSameTables(tables: readonly Table[], wanted: readonly TableFacts[]): void {
  const text = (all: readonly Pick<Table, 'schema' | 'name' | 'columns'>[]) =>
    all.map(({ columns, ...table }) => `${nameOf(table)} (${columns.join(', ')})`);
  const there = new Set(text(tables));
  const missing = text(wanted).find((table) => !there.delete(table)) ?? [...there][0];
  if (missing === undefined) return;
  throw new BackupError(`The tables of this version and of the backup differ at ${missing}. Nothing was loaded.`);
}

type ForeignKey = { table: string; name: string; definition: string };

async function takeAwayGuards(client: ClientBase, tables: readonly Table[]): Promise<ForeignKey[]> {
  const { rows: keys } = await client.query<ForeignKey>(
    `select format('%I.%I', n.nspname, t.relname) as "table", quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
     where c.contype = 'f' and n.nspname !~ '^pg_' order by 1, 2`,
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const table of tables) {
    const force = table.forced ? ', no force row level security' : '';
    await client.query(`alter table ${nameOf(table)} disable trigger user${force}`);
  }
  return keys;
}

async function putGuardsBack(client: ClientBase, tables: readonly Table[], keys: readonly ForeignKey[]): Promise<void> {
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const table of tables) {
    const force = table.forced ? ', force row level security' : '';
    await client.query(`alter table ${nameOf(table)} enable trigger user${force}`);
  }
}

async function verifyRows(client: ClientBase, tables: readonly Table[], wanted: readonly TableFacts[]): Promise<void> {
  for (const facts of wanted) {
    const table = tables.find(({ schema, name }) => schema === facts.schema && name === facts.name);
    if (table === undefined) continue;
    const { sha256, lines } = await measure(copyOut(client, copyRows(table)));
    if (sha256 === facts.rows_sha256 && lines === facts.rows) continue;
    throw new BackupError(
      `The rows of ${facts.schema}.${facts.name} are not the ones that were backed up. Nothing of the database was kept.`,
    );
  }
}
