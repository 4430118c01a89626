import pg from 'pg';
import { SYSTEM_ROLE } from '../storage/roles.ts';

const ANSWER_WITHIN_MS = 5_000;

/** Where a key is kept that only those of the key file open. */
const sealing = [
  { table: 'tenant_data_key', column: 'wrapped' },
  { table: 'sso_connection', column: 'wrapped_key' },
  { table: 'notification_slack', column: 'wrapped_key' },
] as const;

/** Whether the database holds anything that the key file opens. For who is no process of the installation; rejects where it cannot look. */
export async function askSealedData(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  // Losing the connection also rejects the query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const { table, column } of sealing) {
      // One of an older release, or that no start has prepared yet, has fewer.
      const { rows: tables } = await client.query('select 1 where to_regclass($1) is not null', [`public.${table}`]);
      if (tables.length === 0) continue;
      await client.query(`set role ${SYSTEM_ROLE}`);
      const { rows } = await client.query(`select 1 from ${table} where ${column} is not null limit 1`);
      if (rows.length > 0) return true;
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
