import type { WrappedKey } from '@airdeck/connector-kit/secrets';
import type { Selectable } from 'kysely';
import { askDatabase } from '../storage/ask-database.ts';
import { SYSTEM_ROLE } from '../storage/roles.ts';
import type { Tables } from '../storage/schema.ts';

type SealedOf<T extends keyof Tables> = {
  [C in keyof Selectable<Tables[T]>]: [NonNullable<Selectable<Tables[T]>[C]>] extends [WrappedKey]
    ? `${T}.${C & string}`
    : never;
}[keyof Selectable<Tables[T]>];
type SealedColumn = { [T in keyof Tables]: SealedOf<T> }[keyof Tables];

/**
 * Every column with a key that only those of the key file open, and whether it can be the only one of its row. One that is
 * missing here does not compile; each needs a renewal, or what it opens is lost when an old key is taken out of the file.
 */
export const sealedColumns = {
  'tenant_data_key.wrapped': { alone: true },
  'tenant_data_key.previous': { alone: false },
  'sso_connection.wrapped_key': { alone: true },
  'notification_slack.wrapped_key': { alone: true },
} as const satisfies Record<SealedColumn, { alone: boolean }>;

/** Whether the database holds anything that the key file opens. For who is no process of the installation; rejects where it cannot look. */
export async function askSealedData(databaseUrl: string): Promise<boolean> {
  return await askDatabase(databaseUrl, async (client) => {
    for (const [name, { alone }] of Object.entries(sealedColumns)) {
      if (!alone) continue;
      const [table, column] = name.split('.');
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
