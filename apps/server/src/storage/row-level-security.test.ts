/**
 * The last fence between tenants, tried on the tables as they are: 10,000 random statements of one tenant against rows of two.
 *
 * It holds against conditions that are forgotten or wrong. It does not hold against somebody who can send statements of their
 * own: any session may set `airdeck.tenant`, and the login may take the other role. Against that, values are bound everywhere.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const STATEMENTS = 10_000;
const PER_TRANSACTION = 50;
const ROWS_EACH = 30;
const [mine, foreign] = [randomUUID(), randomUUID()];
/** Not a tenant's own rows: people are seen wherever they are members (`tenants-migrations.ts`). */
const otherRules = ['app_user'];
const MARK = `of-${foreign.slice(0, 8)}`;

type Column = { name: string; type: string; isArray: boolean; isRequired: boolean };
type Table = { name: string; tenant: string; reads: string; writes: string; policies: number; columns: Column[] };

let stores: TestDatabase;
let owner: pg.Client;
let app: pg.Client;
let inserted = 0;
let fenced: Table[];
let tables: Table[];

beforeAll(async () => {
  stores = await createTestDatabase();
  [owner, app] = [new pg.Client(stores.url), new pg.Client(stores.url)];
  await Promise.all([owner.connect(), app.connect()]);
  fenced = (await owner.query<Table>(fencedTables)).rows;
  tables = fenced.filter(({ name }) => !otherRules.includes(name));
});
afterAll(async () => {
  await Promise.all([owner?.end(), app?.end()]);
  await stores?.close();
});

/** Every table with a policy for the application, and by which column it keeps tenants apart. */
const fencedTables = `
select c.oid::regclass::text as name, substring(pg_get_expr(p.polqual, c.oid) from '^\\((\\w+) = ') as tenant,
  pg_get_expr(p.polqual, c.oid) as reads, pg_get_expr(p.polwithcheck, c.oid) as writes,
  (select count(*)::int from pg_policy o where o.polrelid = c.oid and (o.polroles @> array[r.oid] or 0 = any (o.polroles))) as policies,
  (select json_agg(json_build_object('name', a.attname, 'type', coalesce(e.typname, t.typname), 'isArray', e.oid is not null,
      'isRequired', a.attnotnull and not a.atthasdef) order by a.attnum)
    from pg_attribute a join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attidentity = '') as columns
from pg_policy p join pg_class c on c.oid = p.polrelid join pg_roles r on r.oid = any (p.polroles) and r.rolname = 'airdeck_app'
where c.relkind in ('r', 'p') and c.relrowsecurity and c.relforcerowsecurity
order by 1`;

describe('row-level security', () => {
  it('has one policy for the application on each table: its tenant, and never none, for what is read and what is written', () => {
    expect(tables.length).toBeGreaterThan(60);
    expect(fenced.length - tables.length).toBe(otherRules.length);
    for (const { name, tenant, reads, writes, policies, columns } of tables) {
      const own = `(${tenant} = (NULLIF(current_setting('airdeck.tenant'::text, true), ''::text))::uuid)`;
      expect([name, reads, writes, policies]).toEqual([name, own, own, 1]);
      expect([name, columns.find((column) => column.name === tenant)?.type]).toEqual([name, 'uuid']);
    }
  });

  it('is on every table that knows a tenant, whatever the column is called, and that column is never empty', async () => {
    const names = new Set(fenced.map(({ name }) => name));
    const { rows } = await owner.query<{ name: string; required: boolean }>(`
      select a.attrelid::regclass::text as name, a.attnotnull as required
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and n.nspname in ('public', 'engine') and not a.attisdropped
        and a.attname in ('tenant_id', 'tenant')`);
    expect(rows.filter(({ name }) => !names.has(name))).toEqual([]);
    expect(rows.filter(({ required }) => !required)).toEqual([]);
  });

  it('shows no row without a tenant, and none of another one to 10,000 random statements, which change none either', async () => {
    const planted = await plant();
    expect(tables.filter((table) => !planted.includes(table))).toEqual([]);
    const before = await hashes(planted);
    await app.query('set role airdeck_app');
    for (const { name } of planted) {
      const seen = await app.query(`select count(*)::int as n from ${name}`).catch(notReadable);
      expect([name, seen.rows[0]?.n ?? 0]).toEqual([name, 0]);
    }
    const seed = Math.floor(Math.random() * 2 ** 31);
    const counts = await attack(planted, random(seed));
    expect({ seed, leaks: counts.leaks }).toEqual({ seed, leaks: [] });
    expect(await hashes(planted)).toEqual(before);
    // Otherwise nothing was tried.
    for (const kind of ['select', 'update', 'delete', 'insert'] as const) {
      expect([seed, kind, counts.done[kind]]).toEqual([seed, kind, expect.any(Number)]);
      expect(counts.done[kind]).toBeGreaterThan(100);
    }
    expect(counts.ownRows).toBeGreaterThan(5_000);
  });
});

/** Some tables are written by the application and read by the system only. */
function notReadable(error: unknown): { rows: { n: number }[] } {
  if (error instanceof Error && 'code' in error && error.code === '42501') return { rows: [] };
  throw error;
}

/** Rows of both tenants in each table. What else a row has to be is no matter of the fence: checks and references are off. */
async function plant(): Promise<Table[]> {
  await owner.query(`
    do $$ declare c record; begin
      for c in select conrelid::regclass as name, conname from pg_constraint
        where contype = 'c' and conrelid <> 0 and connamespace::regnamespace::text in ('public', 'engine')
      loop execute format('alter table %s drop constraint %I', c.name, c.conname); end loop;
    end $$`);
  await owner.query(`set session_replication_role = replica`);
  const planted: Table[] = [];
  for (const table of tables) {
    const rows = { [mine]: 0, [foreign]: 0 };
    for (const tenant of [mine, foreign]) {
      for (let n = 0; n < ROWS_EACH; n++) if (await isStored(insertOf(table, tenant, n))) rows[tenant] = n + 1;
    }
    if (rows[mine] && rows[foreign]) planted.push(table);
  }
  return planted;
}

/** Some tables have one row for each tenant. */
async function isStored([text, values]: [string, unknown[]]): Promise<boolean> {
  return await owner.query(text, values).then(
    () => true,
    () => false,
  );
}

function insertOf({ name, tenant, columns }: Table, of: string, n: number): [string, unknown[]] {
  const mark = of === foreign ? MARK : 'own';
  const filled = columns.filter((column) => column.isRequired || column.name === tenant || column.type === 'text');
  const values = filled.map((column) => (column.name === tenant ? of : sampleOf(column, mark, n)));
  const names = filled.map((column) => `"${column.name}"`).join(', ');
  return [`insert into ${name} (${names}) values (${filled.map((_, at) => `$${at + 1}`).join(', ')})`, values];
}

function sampleOf({ type, isArray }: Column, mark: string, n: number): unknown {
  if (isArray) return [];
  switch (type) {
    case 'uuid':
      return randomUUID();
    case 'text':
    case 'varchar':
    case 'bpchar':
      return `${mark} ${n} ${randomUUID()}`;
    case 'jsonb':
    case 'json':
      return JSON.stringify({ mark });
    case 'bool':
      return false;
    case 'bytea':
      return Buffer.from(`${mark} ${randomUUID()}`);
    case 'timestamptz':
    case 'date':
      return new Date(1_700_000_000_000 + n * 86_400_000);
    case 'inet':
      return '192.0.2.1';
    case 'interval':
      return '1 hour';
    default:
      return n + 1 + (mark === MARK ? 1_000 : 0);
  }
}

async function hashes(planted: readonly Table[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, tenant } of planted) {
    const { rows } = await owner.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash from ${name} t where ${tenant} = $1`,
      [foreign],
    );
    found[name] = rows[0]?.hash ?? '';
  }
  return found;
}

type Kind = 'select' | 'update' | 'delete' | 'insert';
type Pick = <T>(choices: readonly T[]) => T;

async function attack(planted: readonly Table[], pick: Pick) {
  const done: Record<Kind, number> = { select: 0, update: 0, delete: 0, insert: 0 };
  const leaks: string[] = [];
  let ownRows = 0;
  for (let n = 0; n < STATEMENTS; n++) {
    if (n % PER_TRANSACTION === 0) await app.query(`begin; set local airdeck.tenant = '${mine}'`);
    const kind = pick<Kind>(['select', 'select', 'select', 'update', 'delete', 'insert']);
    const [text, values] = statementOf(kind, planted, pick);
    await app.query('savepoint one');
    try {
      const { rows, rowCount } = await app.query<Record<string, unknown>>(text, values);
      done[kind] += (rowCount ?? 0) > 0 ? 1 : 0;
      ownRows += rows.length;
      if (rows.some(isForeign)) leaks.push(text);
      await app.query('release savepoint one');
    } catch {
      await app.query('rollback to savepoint one');
    }
    // What was changed stays changed in every other transaction.
    if ((n + 1) % PER_TRANSACTION === 0)
      await app.query(n % (2 * PER_TRANSACTION) < PER_TRANSACTION ? 'commit' : 'rollback');
  }
  return { done, leaks, ownRows };
}

function isForeign(row: Record<string, unknown>): boolean {
  const text = JSON.stringify(row);
  return text.includes(foreign) || text.includes(MARK);
}

function statementOf(kind: Kind, planted: readonly Table[], pick: Pick): [string, unknown[]] {
  const table = pick(planted);
  const condition = conditionOf(table, planted, pick);
  const one = `t.ctid = any (array(select o.ctid from ${table.name} o where ${condition.replaceAll('t.', 'o.')} limit 2))`;
  const text = table.columns.find(({ type, name }) => type === 'text' && name !== table.tenant)?.name;
  switch (kind) {
    case 'insert':
      return insertOf(table, pick([mine, foreign]), ROWS_EACH + inserted++);
    case 'delete':
      return [`delete from ${table.name} t where ${one} returning t.*`, []];
    case 'update': {
      const change = pick([
        `"${table.tenant}" = '${foreign}'`,
        `"${table.tenant}" = t."${table.tenant}"`,
        ...(text ? [`"${text}" = t."${text}" || '!'`] : []),
      ]);
      return [`update ${table.name} t set ${change} where ${pick([condition, one])} returning t.*`, []];
    }
    case 'select':
      return [selectOf(table, condition, planted, pick), []];
  }
}

function selectOf(table: Table, condition: string, planted: readonly Table[], pick: Pick): string {
  const other = pick(planted);
  return pick([
    `select t.* from ${table.name} t where ${condition} limit 20`,
    `select t.*, o.* from ${table.name} t, ${other.name} o where ${condition} limit 20`,
    `select t::text from ${table.name} t where ${condition} union all select o::text from ${other.name} o limit 40`,
    `with w as (select * from ${other.name}) select w.*, (select count(*) from ${table.name} t where ${condition}) from w limit 20`,
    `select t.*, o.* from ${table.name} t left join lateral (select * from ${other.name} x limit 3) o on true where ${condition} limit 20`,
    `select json_agg(t) as all_of_it, max(t."${table.tenant}"::text) from ${table.name} t where ${condition}`,
    `select t.* from ${table.name} t where ${condition} for update limit 5`,
  ]);
}

function conditionOf(table: Table, planted: readonly Table[], pick: Pick): string {
  const other = pick(planted);
  const tenant = `t."${table.tenant}"`;
  const part = () =>
    pick([
      'true',
      `${tenant} = '${foreign}'`,
      `${tenant} <> '${mine}'`,
      `not (${tenant} = '${mine}')`,
      `${tenant} is distinct from current_setting('airdeck.tenant')::uuid`,
      `t::text like '%${MARK}%'`,
      't.ctid is not null',
      `exists (select from ${other.name} e where e."${other.tenant}" = ${tenant})`,
      `${tenant} in (select e."${other.tenant}" from ${other.name} e)`,
      `t::text ~ '[a-f0-9]'`,
    ]);
  return pick([part(), `(${part()} or ${part()})`, `(${part()} and ${part()})`, `not (${part()})`]);
}

/** Mulberry32. */
function random(seed: number): Pick {
  let state = seed;
  return (choices) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const share = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    const chosen = choices[Math.floor(share * choices.length)];
    if (chosen === undefined) throw new Error('There is nothing to choose from.');
    return chosen;
  };
}
