import { v7 } from 'uuid';
import { afterAll, expect, it } from 'vitest';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate } from '../../storage/migrations.ts';
import { createTestDatabase, quietLog, type TestDatabase } from '../../storage/test-database.ts';

let stores: TestDatabase;
afterAll(() => stores?.close());

it('takes away the private searches that deleted accounts left behind, and nothing else', async () => {
  const before = migrationList.filter(({ id }) => id !== '0212-saved-searches-left-behind');
  stores = await createTestDatabase(before);
  const { database } = stores;
  const [tenant, deleted, left] = [v7(), v7(), v7()] as const;
  const at = new Date();
  await database.system(async (tx) => {
    await tx.insertInto('tenant').values({ id: tenant, name: 'T', managed_by: null, sku_info: '{}' }).execute();
    for (const [id, name] of [
      [deleted, 'Deleted'],
      [left, 'Left'],
    ] as const) {
      await tx
        .insertInto('app_user')
        .values({
          ...{ id, uname: id, fullname: name, email: `${id}@example.com`, home_tenant_id: tenant, locale: 'en-US' },
          ...{ identity_issuer: id === deleted ? 'urn:airdeck:deleted' : 'urn:test', identity_subject: id },
          status: 'disabled',
        })
        .execute();
      for (const shared of [true, false]) {
        await tx
          .insertInto('saved_search')
          .values({
            ...{ id: v7(), tenant_id: tenant, owner_id: id, name: `${name}, ${shared ? 'shared' : 'private'}`, shared },
            ...{ criteria: '{}', time_range: '{}', columns: '[]', sort: 'newest', created_at: at, updated_at: at },
          })
          .execute();
      }
    }
  });
  await migrate({ url: stores.url, migrations: migrationList, log: quietLog });
  const names = database.system((tx) => tx.selectFrom('saved_search').select('name').orderBy('name').execute());
  expect((await names).map(({ name }) => name)).toEqual(['Deleted, shared', 'Left, private', 'Left, shared']);
});
