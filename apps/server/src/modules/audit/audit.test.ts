import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditVerdict } from './audit-log.ts';
import { createAuditService } from './audit-service.ts';

let stores: TestDatabase;
let owner: pg.Client;
const audit = createAuditService({ now: () => new Date() });

beforeAll(async () => {
  stores = await createTestDatabase();
  owner = new pg.Client({ connectionString: stores.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await stores?.close();
});

function entry(tenant: string, change: Partial<AuditEntry> = {}): AuditEntry {
  return {
    tenant,
    actor: { kind: 'user', id: v7(), name: 'ana@example.com' },
    action: 'case.update',
    target: { kind: 'case', id: v7() },
    outcome: 'ok',
    data: { b: 1, a: [1.5, { z: null, y: 'x' }] },
    request_id: v7(),
    ...change,
  };
}

async function chainOf(length: number): Promise<string> {
  const tenant = v7();
  for (let n = 0; n < length; n++) await stores.database.tenant(tenant, (tx) => audit.record(tx, entry(tenant)));
  return tenant;
}

function verify(tenant: string): Promise<AuditVerdict> {
  return stores.database.tenant(tenant, (tx) => audit.verify(tx, trustedTenantScope(tenant)));
}

/** What somebody with the database's own password can do. */
async function tamper(statement: string, values: unknown[]): Promise<void> {
  await owner.query('alter table audit_record disable trigger all');
  const { rowCount } = await owner.query(statement, values);
  await owner.query('alter table audit_record enable trigger all');
  expect(rowCount).toBe(1);
}

describe('audit', () => {
  it('holds together over many records and pages', async () => {
    const tenant = await chainOf(3);
    expect(await verify(tenant)).toMatchObject({ intact: true, records: 3 });
    expect(await verify(v7())).toMatchObject({ intact: true, records: 0 });
  });

  it('gives parallel transactions numbers without a gap', async () => {
    const tenant = v7();
    await Promise.all(
      Array.from({ length: 25 }, () => stores.database.tenant(tenant, (tx) => audit.record(tx, entry(tenant)))),
    );
    expect(await verify(tenant)).toMatchObject({ intact: true, records: 25 });
  });

  it('goes with its transaction: nothing is recorded of what was rolled back', async () => {
    const tenant = await chainOf(1);
    const failing = stores.database.tenant(tenant, async (tx) => {
      await audit.record(tx, entry(tenant));
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await verify(tenant)).toMatchObject({ intact: true, records: 1 });
  });

  it('fails closed: without its record the effect does not happen', async () => {
    const mine = v7();
    const foreign = v7();
    const write = stores.database.tenant(mine, (tx) => audit.record(tx, entry(foreign)));
    await expect(write).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    [
      'the actor',
      `update audit_record set actor_name = 'eve@example.com' where tenant_id = $1 and sequence = 2`,
      'changed',
    ],
    ['the outcome', `update audit_record set outcome = 'refused' where tenant_id = $1 and sequence = 2`, 'changed'],
    [
      'a detail',
      `update audit_record set data = jsonb_set(data, '{b}', '2') where tenant_id = $1 and sequence = 2`,
      'changed',
    ],
    ['the time', `update audit_record set at = at - interval '1 ms' where tenant_id = $1 and sequence = 2`, 'changed'],
    ['a hash', `update audit_record set hash = repeat('0', 64) where tenant_id = $1 and sequence = 2`, 'changed'],
    [
      'a link',
      `update audit_record set previous_hash = repeat('0', 64) where tenant_id = $1 and sequence = 2`,
      'unlinked',
    ],
    ['a record taken out', 'delete from audit_record where tenant_id = $1 and sequence = 2', 'missing'],
  ])('shows where %s was changed', async (_name, statement, reason) => {
    const tenant = await chainOf(3);
    await tamper(statement, [tenant]);
    expect(await verify(tenant)).toMatchObject({ intact: false, broken: { sequence: 2, reason } });
  });

  it('shows that the end was cut off', async () => {
    const tenant = await chainOf(3);
    await tamper('delete from audit_record where tenant_id = $1 and sequence = 3', [tenant]);
    expect(await verify(tenant)).toMatchObject({ intact: false, broken: { sequence: 3, reason: 'head_mismatch' } });
  });

  it('cannot be changed or deleted by the program, nor by the owner in passing', async () => {
    const tenant = await chainOf(1);
    const asTenant = stores.database.tenant(tenant, (tx) => tx.deleteFrom('audit_record').execute());
    await expect(asTenant).rejects.toMatchObject({ code: '42501' });
    const asSystem = stores.database.system((tx) => tx.updateTable('audit_record').set({ action: 'x' }).execute());
    await expect(asSystem).rejects.toMatchObject({ code: '42501' });
    await expect(owner.query('delete from audit_record')).rejects.toMatchObject({ code: '42501' });
    await expect(owner.query('truncate audit_record')).rejects.toMatchObject({ code: '42501' });
  });

  it('keeps what the store cannot hold in a form it can, and still verifies', async () => {
    const tenant = v7();
    const data = {
      'k\u0000': 'nul \u0000',
      half: '\ud800',
      when: new Date(0),
      big: 1e21,
      small: -0,
      list: [undefined, 1],
    };
    const odd = entry(tenant, { data, actor: { kind: 'user', id: null, name: 'a\u0000b' } });
    await stores.database.tenant(tenant, (tx) => audit.record(tx, odd));
    expect(await verify(tenant)).toMatchObject({ intact: true, records: 1 });
  });

  it('shows a tenant its own records only', async () => {
    const [mine, other] = [await chainOf(2), await chainOf(1)];
    const seen = await stores.database.tenant(mine, (tx) =>
      tx.selectFrom('audit_record').select('tenant_id').execute(),
    );
    expect(seen).toHaveLength(2);
    expect(seen.every((row) => row.tenant_id === mine && row.tenant_id !== other)).toBe(true);
  });
});
