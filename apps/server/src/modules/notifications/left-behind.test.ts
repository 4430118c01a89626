import { v7 } from 'uuid';
import { afterAll, expect, it } from 'vitest';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate } from '../../storage/migrations.ts';
import { createTestDatabase, quietLog, type TestDatabase } from '../../storage/test-database.ts';

let stores: TestDatabase;
afterAll(() => stores?.close());

it('takes away what deleted accounts and lost memberships left behind, and nothing else', async () => {
  const before = migrationList.findIndex(({ id }) => id === '0203-left-behind');
  stores = await createTestDatabase(migrationList.slice(0, before));
  const { database } = stores;
  const [tenant, deleted, member, stranger] = [v7(), v7(), v7(), v7()] as const;
  await database.system(async (tx) => {
    await tx.insertInto('tenant').values({ id: tenant, name: 'T', managed_by: null, sku_info: '{}' }).execute();
    for (const id of [deleted, member, stranger]) {
      const identity_issuer = id === deleted ? 'urn:airdeck:deleted' : 'urn:test';
      await tx
        .insertInto('app_user')
        .values({
          ...{ id, uname: id, fullname: 'A', email: `${id}@example.com`, home_tenant_id: tenant },
          ...{ identity_issuer, identity_subject: id, locale: 'en-US', phone: '', job_title: '', timezone: '' },
          status: 'active',
        } as never)
        .execute();
      await tx
        .insertInto('notification_slack')
        .values({ user_id: id, host: 'h', wrapped_key: '{}', sealed_url: '{}', set_at: new Date() } as never)
        .execute();
      await tx
        .insertInto('api_key')
        .values({
          ...{ id: v7(), tenant_id: tenant, user_id: id, name: 'Key', role: 'Analyst', key_hash: id, hint: 'abcd' },
          expires_at: new Date(Date.now() + 86_400_000),
        } as never)
        .execute();
    }
    await tx
      .insertInto('membership')
      .values({ user_id: member, tenant_id: tenant, role: 'Analyst' } as never)
      .execute();
  });
  await migrate({ url: stores.url, migrations: migrationList, log: quietLog });
  const left = await database.system(async (tx) => ({
    slack: await tx.selectFrom('notification_slack').select('user_id').execute(),
    keys: await tx.selectFrom('api_key').select('user_id').where('revoked_at', 'is', null).execute(),
  }));
  expect(left.slack.map(({ user_id: id }) => id).sort()).toEqual([member, stranger].sort());
  expect(left.keys.map(({ user_id: id }) => id)).toEqual([member]);
});
