import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase, sqlClient } from './database.ts';
import { migrationList } from './migration-list.ts';
import { externalMigration, type Migration, migrate } from './migrations.ts';
import { tenantTable } from './tenant-table.ts';
import { quietLog } from './test-database.ts';

const created: string[] = [];
let admin: pg.Client;

beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
});
afterAll(async () => {
  for (const name of created) await admin.query(`drop database ${name} with (force)`);
  await admin.end();
});

async function emptyDatabase(): Promise<string> {
  const name = `migration_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  created.push(name);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return url.toString();
}

async function rowsOf<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

const first: Migration = {
  id: '0001-first',
  up(sql) {
    sql('create table first (tenant_id uuid not null, n int)');
    sql(tenantTable('first'));
  },
};
const second: Migration = {
  id: '0002-second',
  up: (sql) => sql('create table second (n int); insert into second values (1)'),
};

describe('migrating', () => {
  it('runs each migration once although three processes start together', async () => {
    const url = await emptyDatabase();
    const starts = [1, 2, 3].map(() => migrate({ url, migrations: [first, second], log: quietLog }));
    const reports = await Promise.all(starts);
    expect(reports.flatMap((report) => report.applied).sort()).toEqual(['0001-first', '0002-second']);
    expect(await rowsOf(url, 'select n from second')).toHaveLength(1);
  });

  it('adds what is new and leaves the rest', async () => {
    const url = await emptyDatabase();
    await migrate({ url, migrations: [first], log: quietLog });
    const report = await migrate({ url, migrations: [first, second], log: quietLog });
    expect(report).toEqual({ applied: ['0002-second'], alreadyThere: 1 });
  });

  it('leaves nothing of a migration that fails half-way', async () => {
    const url = await emptyDatabase();
    const broken: Migration = { id: '0002-broken', up: (sql) => sql('create table half (n int); select 1/0') };
    const run = migrate({ url, migrations: [first, broken], log: quietLog });
    await expect(run).rejects.toMatchObject({
      code: 'MIGRATION_FAILED',
      message: expect.stringContaining('0002-broken'),
    });
    expect(await rowsOf(url, `select to_regclass('half') as found`)).toEqual([{ found: null }]);
    expect(await rowsOf(url, 'select id from airdeck_migration')).toEqual([{ id: '0001-first' }]);
  });

  it('refuses a migration whose text was changed after it ran', async () => {
    const url = await emptyDatabase();
    await migrate({ url, migrations: [second], log: quietLog });
    const changed: Migration = { id: second.id, up: (sql) => sql('create table other (n int)') };
    const run = migrate({ url, migrations: [changed], log: quietLog });
    await expect(run).rejects.toMatchObject({ code: 'MIGRATION_CHANGED' });
  });

  it('waits for a busy table only briefly and tries again', async () => {
    const url = await emptyDatabase();
    await migrate({ url, migrations: [first], log: quietLog });
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('begin; lock table first in access exclusive mode');
    const alter: Migration = { id: '0002-alter', up: (sql) => sql('alter table first add column extra text') };
    const warned = new Promise<void>((resolve) => {
      const log = { ...quietLog, warn: () => resolve() };
      migrate({ url, migrations: [first, alter], log }).then(
        () => finished(),
        () => undefined,
      );
    });
    let finished: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      finished = resolve;
    });
    await warned;
    await blocker.query('commit');
    await done;
    await blocker.end();
    expect(await rowsOf(url, 'select extra from first')).toEqual([]);
  });
});

describe('a login that is no superuser', () => {
  const login = `owner_${randomUUID().replaceAll('-', '')}`;

  it('migrates twice and keeps tenants apart although it owns the tables', async () => {
    const url = new URL(await emptyDatabase());
    const name = url.pathname.slice(1);
    await migrate({ url: inject('postgresUrl'), migrations: [], log: quietLog });
    await admin.query(`create role ${login} login password 'p'`);
    await admin.query(`grant airdeck_app, airdeck_system to ${login}`);
    await admin.query(`alter database ${name} owner to ${login}`);
    url.username = login;
    url.password = 'p';
    await migrate({ url: url.href, migrations: [first], log: quietLog });
    await migrate({ url: url.href, migrations: [first, ...migrationList], log: quietLog });
    const database = openDatabase({ url: url.href, log: quietLog });
    const tenant = randomUUID();
    await database.tenant(tenant, (tx) => sqlClient(tx).query('insert into first values ($1, 1)', [tenant]));
    const seen = await database.system((tx) => sqlClient(tx).query('select n from first'));
    expect(seen.rows).toEqual([{ n: 1 }]);
    const elsewhere = await database.tenant(randomUUID(), (tx) => sqlClient(tx).query('select n from first'));
    expect(elsewhere.rows).toEqual([]);
    await database.close();
    await admin.query(`drop database ${name} with (force)`);
    created.splice(created.indexOf(name), 1);
    await admin.query(`drop role ${login}`);
  });
});

describe('every table of the product', () => {
  const leaky = externalMigration({
    id: '0000-sample',
    sql: 'create schema sample; create table sample.t (tenant_id uuid)',
    tenantTables: ['sample.t'],
  });
  let url: string;

  beforeAll(async () => {
    url = await emptyDatabase();
    await migrate({ url, migrations: [leaky, ...migrationList], log: quietLog });
  });

  it('with a tenant column has row-level security forced, with a policy for each role that checks reads and writes', async () => {
    const tables = await rowsOf<{ name: string; forced: boolean; roles: string[] }>(
      url,
      `select c.oid::regclass::text as name, c.relrowsecurity and c.relforcerowsecurity as forced,
              array(select r.rolname::text from pg_policy p join pg_roles r on r.oid = any (p.polroles)
                    where p.polrelid = c.oid and p.polcmd = '*' and p.polqual is not null and p.polwithcheck is not null
                    order by 1) as roles
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
         and exists (select from pg_attribute a where a.attrelid = c.oid and not a.attisdropped
                     and a.attname in ('tenant_id', 'tenant'))`,
    );
    expect(tables.map((table) => table.name)).toContain('sample.t');
    const open = tables.filter((table) => !table.forced || table.roles.join() !== 'airdeck_app,airdeck_system');
    expect(open).toEqual([]);
  });

  it('without a tenant column is closed to the application role', async () => {
    const reachable = await rowsOf<{ name: string }>(
      url,
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
         and not c.relrowsecurity
         and has_table_privilege('airdeck_app', c.oid, 'select, insert, update, delete')`,
    );
    expect(reachable).toEqual([]);
  });

  it('belongs to neither role, and neither can pass row-level security', async () => {
    const owned = await rowsOf(
      url,
      `select c.oid::regclass::text as name from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname like 'airdeck\\_%'`,
    );
    expect(owned).toEqual([]);
    const roles = await rowsOf(
      url,
      `select rolname, rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb as powerful
       from pg_roles where rolname in ('airdeck_app', 'airdeck_system') order by 1`,
    );
    expect(roles).toEqual([
      { rolname: 'airdeck_app', powerful: false },
      { rolname: 'airdeck_system', powerful: false },
    ]);
  });
});

it('a table name that is not one is refused', () => {
  expect(() => tenantTable('t; drop table x')).toThrow('Not a table');
});
