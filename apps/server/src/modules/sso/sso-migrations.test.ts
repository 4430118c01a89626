import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationText } from '../../storage/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { ssoMigrations } from '../identity/sso-migrations.ts';

let stores: TestDatabase;
let owner: pg.Client;

beforeAll(async () => {
  stores = await createTestDatabase();
  owner = new pg.Client({ connectionString: stores.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await stores?.close();
});

it('domains that were there before each have a token of their own and no proof; what they are is kept from tenants', async () => {
  const migration = ssoMigrations.find(({ id }) => id === '0072-sso-domains');
  if (migration === undefined) throw new Error('There is no such migration.');
  await owner.query('drop table sso_domain');
  const tenants = [v7(), v7()];
  for (const tenant of tenants) {
    await owner.query(`insert into tenant (id, name, sku_info) values ($1, 'Harbour', '{}')`, [tenant]);
    for (const domains of [['harbour.example', 'port.example'], ['harbour.example']]) {
      await owner.query(
        `insert into sso_connection (id, tenant_id, kind, label, issuer, client_id, domains, join_enabled, groups_claim,
           group_roles, enabled, created_at, updated_at)
         values ($1, $2, 'oidc', 'ID', 'https://id.example', 'x', $3, false, '', '[]', true, now(), now())`,
        [v7(), tenant, domains],
      );
    }
  }
  await owner.query(migrationText(migration));

  const { rows } = await owner.query<{ token: string }>('select * from sso_domain order by domain, tenant_id');
  const named = ['harbour.example', 'port.example'].flatMap((domain) =>
    tenants.map((tenant_id) => ({ tenant_id, domain })),
  );
  expect(rows).toMatchObject(named.map((each) => ({ ...each, proved_at: null, checked_at: null })));
  expect(new Set(rows.map(({ token }) => token)).size).toBe(4);
  for (const { token } of rows) expect(token).toMatch(/^[0-9a-f]{64}$/);

  const [first, second] = tenants;
  const seen = await stores.database.tenant(String(first), (tx) => tx.selectFrom('sso_domain').selectAll().execute());
  expect(seen.map(({ tenant_id }) => tenant_id)).toEqual([first, first]);
  const forced = await owner.query(
    `select relforcerowsecurity as forced from pg_class where relname = 'sso_connection'`,
  );
  expect(forced.rows).toEqual([{ forced: true }]);
  await expect(
    stores.database.tenant(String(second), (tx) =>
      tx.updateTable('sso_domain').set({ proved_at: new Date() }).execute(),
    ),
  ).rejects.toMatchObject({ code: '42501' });
});
