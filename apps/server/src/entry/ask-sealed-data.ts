import { askDatabase } from '../storage/ask-database.ts';
import { SYSTEM_ROLE } from '../storage/roles.ts';

/** Where a key is kept that only those of the key file open. */
const sealing = [
  { table: 'tenant_data_key', column: 'wrapped' },
  { table: 'sso_connection', column: 'wrapped_key' },
  { table: 'notification_slack', column: 'wrapped_key' },
] as const;

/** Whether the database holds anything that the key file opens. For who is no process of the installation; rejects where it cannot look. */
export async function askSealedData(databaseUrl: string): Promise<boolean> {
  return await askDatabase(databaseUrl, async (client) => {
    for (const { table, column } of sealing) {
      // One of an older release, or that no start has prepared yet, has fewer.
      const { rows: tables } = await client.query('select 1 where to_regclass($1) is not null', [`public.${table}`]);
      if (tables.length === 0) continue;
      await client.query(`set role ${SYSTEM_ROLE}`);
      const { rows } = await client.query(`select 1 from ${table} where ${column} is not null limit 1`);
      if (rows.length > 0) return true;
    }
    return false;
  });
}
