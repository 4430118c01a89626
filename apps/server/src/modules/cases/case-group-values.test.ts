import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate } from '../../storage/migrations.ts';
import { createTestDatabase, quietLog, type TestDatabase } from '../../storage/test-database.ts';

const tenant = v7();
let stores: TestDatabase;
let numbered = 0;

beforeAll(async () => {
  const before = migrationList.findIndex(({ id }) => id === '0199-case-group-values');
  stores = await createTestDatabase(migrationList.slice(0, before));
  await stores.database.system((tx) =>
    tx
      .insertInto('tenant')
      .values({ id: tenant, name: 'Example Ltd', managed_by: null, sku_info: '{}', created_at: new Date() })
      .execute(),
  );
});
afterAll(() => stores?.close());

/** A case as a release of before writes it, which knows nothing of the values. */
async function openCase(meta: unknown): Promise<string> {
  const id = v7();
  await stores.database.tenant(tenant, (tx) =>
    tx
      .insertInto('case_record')
      .values({
        ...{ id, tenant_id: tenant, number: ++numbered, alert_type: 'policy', name: 'Case', description: '' },
        ...{ category: 'auth', severity: 'low', severity_rank: 0, status: 'open', log_sources: [], search_text: '' },
        meta: JSON.stringify(meta),
        ...{ opened_at: new Date(), time_opened: new Date(), time_updated: new Date() },
      } as never)
      .execute(),
  );
  return id;
}

async function valuesOf(id: string): Promise<string[]> {
  const { rows } = await stores.database.tenant(tenant, (tx) =>
    sql<{ hash: string }>`
      select encode(value_hash, 'hex') as hash from case_group_value where case_id = ${id} order by hash`.execute(tx),
  );
  return rows.map(({ hash }) => hash);
}

describe('the group values of cases', () => {
  it('are those of cases opened before there were any, by whichever release, and after', async () => {
    const meta = { src_ip: '203.0.113.7', user: 'ana', list: ['a', { b: 1 }] };
    const [before, none] = [await openCase(meta), await openCase([])];
    await migrate({ url: stores.url, migrations: migrationList, log: quietLog });
    const after = await openCase({ user: 'ana', list: ['a', { b: 1 }], src_ip: '203.0.113.7' });
    const values = await valuesOf(before);
    expect(values).toHaveLength(3);
    expect(await valuesOf(after)).toEqual(values);
    expect([await valuesOf(none), await valuesOf(await openCase([]))]).toEqual([[], []]);

    const other = await openCase({ src_ip: '203.0.113.8', user: 'ana' });
    expect((await valuesOf(other)).filter((value) => values.includes(value))).toHaveLength(1);
    await stores.database.tenant(tenant, (tx) =>
      tx
        .updateTable('case_record')
        .set({ meta: JSON.stringify(meta) })
        .where('id', '=', other)
        .execute(),
    );
    expect(await valuesOf(other)).toEqual(values);
  });
});
