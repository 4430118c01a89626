import type { ClientBase } from 'pg';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { BackupError } from './backup-error.ts';

export type Table = {
  schema: string;
  name: string;
  columns: string[];
  /** In an order that is the same in every database, whatever its collation. */
  order: string;
  forced: boolean;
};

/** What a restore makes by itself: the list of migrations, and the fence of this very restore. */
const notBackedUp = ['airdeck_migration', 'restore_fence'];

const OWN_SCHEMAS = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;

/** Every table of the installation, from the catalogue: a new one cannot be forgotten. */
export async function listTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    columns: string[];
    key: string[];
    forced: boolean;
  }>(
    `select n.nspname as schema, c.relname as name, c.relforcerowsecurity as forced,
       array(select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns,
       array(select quote_ident(a.attname) || case when a.attcollation = 0 then '' else ' collate "C"' end
         from pg_index i
         cross join unnest(i.indkey) with ordinality as k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
         where i.indrelid = c.oid and i.indisprimary order by k.place) as key
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and ${OWN_SCHEMAS} and not (n.nspname = 'public' and c.relname = any ($1))
     order by n.nspname, c.relname`,
    [notBackedUp],
  );
  return rows.map(({ key, columns, ...table }) => ({
    ...table,
    columns,
    order: key.length > 0 ? key.join(', ') : columns.map((column) => `${column}::text collate "C"`).join(', '),
  }));
}

export function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `"${schema}"."${name}"`;
}

/** Everything that belongs to a user of the database, for telling an empty one. */
export async function findAnyRelation(client: ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${OWN_SCHEMAS} order by 1 limit 1`,
  );
  return rows[0]?.name;
}

/** Rows read the same way write the same text, in any session of any server. */
export const COPY_SETTINGS = `
set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local intervalstyle = 'iso_8601';
set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8';
set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local search_path = pg_catalog`;

export function copyRows({ columns, order, ...table }: Table): string {
  return `copy (select ${columns.join(', ')} from ${nameOf(table)} order by ${order}) to stdout`;
}

/** Whether row-level security leaves this login all rows of every table. */
export async function passesRowSecurity(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ passes: boolean }>(
    'select rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user',
  );
  return rows[0]?.passes === true;
}

/**
 * The role that sees every row of the table. The owner of one under forced row-level security sees none of them, and the
 * system role's policy lets it see all: a table it may not read would be missing in silence, so that stops the backup.
 */
export async function readAs(client: ClientBase, table: Table, passes: boolean): Promise<void> {
  if (passes || !table.forced) {
    await client.query('set local role none');
    return;
  }
  const { rows } = await client.query<{ may: boolean }>(
    `select has_table_privilege($1, $2, 'select') and exists (
       select from pg_policies where schemaname = $3 and tablename = $4 and qual = 'true' and $1 = any (roles)) as may`,
    [SYSTEM_ROLE, nameOf(table), table.schema, table.name],
  );
  if (rows[0]?.may !== true) {
    throw new BackupError(
      `The login of DATABASE_URL may not read all rows of ${table.schema}.${table.name}: use a login with BYPASSRLS.`,
    );
  }
  await client.query(`set local role ${SYSTEM_ROLE}`);
}
