import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../storage/test-database.ts';
import { askSealedData } from './ask-sealed-data.ts';

it('tells a database that holds what the key file opens from one nothing was sealed in, or nobody has used', async () => {
  const unused = await createTestDatabase([]);
  const used = await createTestDatabase();
  const owner = new pg.Client({ connectionString: used.url });
  try {
    expect(await askSealedData(unused.url)).toBe(false);
    expect(await askSealedData(used.url)).toBe(false);
    await owner.connect();
    // Whose it is does not matter here.
    await owner.query('set session_replication_role = replica');
    await owner.query("insert into tenant_data_key (tenant_id, wrapped) values (gen_random_uuid(), '{}')");
    expect(await askSealedData(used.url)).toBe(true);
    await owner.query('delete from tenant_data_key');
    await owner.query(
      `insert into notification_slack (user_id, host, wrapped_key, sealed_url, set_at)
       values (gen_random_uuid(), 'hooks.slack.example', '{}', '{}', now())`,
    );
    expect(await askSealedData(used.url)).toBe(true);
  } finally {
    await owner.end();
    await Promise.all([used.close(), unused.close()]);
  }
});

it('says nothing of a database that does not answer', async () => {
  await expect(askSealedData('postgresql://air@127.0.0.1:1/air')).rejects.toThrow();
});
