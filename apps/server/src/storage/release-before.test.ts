import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { migrationList } from './migration-list.ts';
import { type Migration, migrate, migrationChecksum } from './migrations.ts';
import released from './released-migrations.json' with { type: 'json' };
import { quietLog } from './test-database.ts';

/**
 * While processes are replaced, those of the release before work on the schema of this one, and go back to it when the new
 * one has to be taken away. Its migrations and their checksums are in `released-migrations.json`, which
 * `npx tsx tools/note-release.ts` writes anew with every release.
 */
const checksums: Readonly<Record<string, string>> = released;

/** What reads like a restriction and is none, by the fact as it is told. */
const accepted: Readonly<Record<string, string>> = {
  'new check on rule_response_outcome.outcome': 'one more outcome is allowed',
  'new check on automation_rule_alert.outcome': 'one more outcome is allowed',
  'new trigger case_group_values_kept on case_record':
    'it writes down what a case shares with others, and refuses none',
};

/** Every line names something the release before may count on. */
const KEPT = `
  select format('table %s', c.oid::regclass) as fact from pg_class c where c.relkind in ('r', 'p', 'v', 'S') and c.relnamespace = any ($1)
  union all
  select format('column %s.%s %s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod))
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind in ('r', 'p', 'v') and c.relnamespace = any ($1) and a.attnum > 0 and not a.attisdropped
  union all
  select format('null in %s.%s', a.attrelid::regclass, a.attname) from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind in ('r', 'p') and c.relnamespace = any ($1) and a.attnum > 0 and not a.attisdropped and not a.attnotnull
  union all
  select format('default of %s.%s', a.attrelid::regclass, a.attname) from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind in ('r', 'p') and c.relnamespace = any ($1) and a.attnum > 0 and (a.atthasdef or a.attidentity <> '')
  union all
  select format('function %s', p.oid::regprocedure) from pg_proc p where p.pronamespace = any ($1)
  union all
  select format('right to %s %s of %s', lower(privilege_type), c.oid::regclass, grantee::regrole)
  from pg_class c, aclexplode(c.relacl) where c.relnamespace = any ($1)
  union all
  select format('right to call %s of %s', p.oid::regprocedure, grantee::regrole)
  from pg_proc p, aclexplode(p.proacl) where p.pronamespace = any ($1) and grantee <> 0`;

/** Every line forbids something, and names the columns it is about. */
const FORBIDDING = `
  select format('new %s on %s.%s', case k.contype when 'c' then 'check' when 'f' then 'reference' else 'uniqueness' end,
    k.conrelid::regclass, coalesce(string_agg(a.attname, ', ' order by a.attnum), '?')) as fact,
    k.conrelid::regclass::text as at, coalesce(array_agg(a.attname::text) filter (where a.attname is not null), '{}') as columns, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k left join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
  where k.contype in ('c', 'f', 'u', 'p', 'x') and k.connamespace = any ($1) and k.conrelid <> 0 group by k.oid
  union all
  select format('new uniqueness on %s.%s', i.indrelid::regclass, coalesce(string_agg(a.attname, ', ' order by a.attnum), '?')),
    i.indrelid::regclass::text, coalesce(array_agg(a.attname::text) filter (where a.attname is not null), '{}'), pg_get_indexdef(i.indexrelid)
  from pg_index i join pg_class c on c.oid = i.indrelid
  left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
  where i.indisunique and c.relnamespace = any ($1)
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('u', 'p'))
  group by i.indexrelid, i.indrelid
  union all
  select format('new column %s.%s that must be given', a.attrelid::regclass, a.attname), a.attrelid::regclass::text, '{}', ''
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relkind in ('r', 'p') and c.relnamespace = any ($1) and a.attnum > 0 and not a.attisdropped
    and a.attnotnull and not a.atthasdef and a.attidentity = ''
  union all
  select format('new trigger %s on %s', tgname, tgrelid::regclass), tgrelid::regclass::text, '{}', pg_get_triggerdef(g.oid)
  from pg_trigger g join pg_class c on c.oid = g.tgrelid where not tgisinternal and c.relnamespace = any ($1)
  union all
  select format('new policy %s on %s', polname, polrelid::regclass), polrelid::regclass::text, '{}',
    concat(pg_get_expr(polqual, polrelid), ' ', pg_get_expr(polwithcheck, polrelid))
  from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace = any ($1)`;

type Forbidding = { fact: string; at: string; columns: string[]; definition: string };
type Schema = { kept: ReadonlySet<string>; forbidding: readonly Forbidding[] };

async function schemaOf(client: pg.Client): Promise<Schema> {
  const own = await client.query<{ oid: number }>(
    `select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
  );
  const schemas = own.rows.map(({ oid }) => oid);
  const kept = await client.query<{ fact: string }>(KEPT, [schemas]);
  const forbidding = await client.query<Forbidding>(FORBIDDING, [schemas]);
  return { kept: new Set(kept.rows.map(({ fact }) => fact)), forbidding: forbidding.rows };
}

/** What keeps a process that knows `before` from working on `after`. */
function hindrances(before: Schema, after: Schema): string[] {
  const gone = [...before.kept].filter((fact) => !after.kept.has(fact)).map((fact) => `no more: ${fact}`);
  const keyOf = ({ fact, definition }: Forbidding) => `${fact} ${definition}`;
  const known = new Set(before.forbidding.map(keyOf));
  const columnsBefore = [...before.kept].flatMap((fact) => /^column (\S+)/.exec(fact)?.[1] ?? []);
  const forbidden = after.forbidding.filter((rule) => {
    if (known.has(keyOf(rule)) || !before.kept.has(`table ${rule.at}`)) return false;
    // About columns it never fills, it hinders nobody who does not know them.
    return rule.columns.length === 0 || rule.columns.some((name) => columnsBefore.includes(`${rule.at}.${name}`));
  });
  return [...gone, ...forbidden.map(({ fact }) => fact)].filter((fact) => accepted[fact] === undefined);
}

async function schemasOf(steps: readonly (readonly Migration[])[]): Promise<Schema[]> {
  const name = `release_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  try {
    const schemas: Schema[] = [];
    for (const migrations of steps) {
      await migrate({ url: url.href, migrations, log: quietLog });
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      schemas.push(await schemaOf(client));
      await client.end();
    }
    return schemas;
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

describe('the release before', () => {
  it('finds its migrations as it left them', () => {
    const now = new Map(migrationList.map((migration) => [migration.id, migrationChecksum(migration)]));
    expect(Object.entries(checksums).filter(([id, checksum]) => now.get(id) !== checksum)).toEqual([]);
  });

  it('can work on the schema of this one', async () => {
    const theirs = migrationList.filter(({ id }) => checksums[id] !== undefined);
    const [before, after] = await schemasOf([theirs, migrationList]);
    if (before === undefined || after === undefined) throw new Error('There are no schemas.');
    expect(before.kept.size).toBeGreaterThan(1000);
    expect(hindrances(before, after)).toEqual([]);
    const told = after.forbidding.map(({ fact }) => fact);
    expect(Object.keys(accepted).filter((fact) => !told.includes(fact))).toEqual([]);
  });
});

describe('what hinders the release before', () => {
  const first: Migration = {
    id: '0001-note',
    up: (sql) =>
      sql(`create table note (id int primary key, body text not null default '', at timestamptz, n int check (n > 0));
        create function notes() returns bigint language sql as 'select count(*) from note'`),
  };
  it.each([
    [
      'alter table note drop column at',
      ['no more: column note.at timestamp with time zone', 'no more: null in note.at'],
    ],
    [
      'alter table note rename column at to moment',
      ['no more: column note.at timestamp with time zone', 'no more: null in note.at'],
    ],
    ['alter table note alter column n type bigint', ['no more: column note.n integer']],
    [
      'alter table note alter column body drop default',
      ['no more: default of note.body', 'new column note.body that must be given'],
    ],
    [
      'alter table note alter column at set not null',
      ['no more: null in note.at', 'new column note.at that must be given'],
    ],
    ['alter table note add column more text not null', ['new column note.more that must be given']],
    ['alter table note add unique (body)', ['new uniqueness on note.body']],
    ['create unique index on note (lower(body))', ['new uniqueness on note.?']],
    ['alter table note drop constraint note_n_check; alter table note add check (n > 1)', ['new check on note.n']],
    ['drop function notes()', ['no more: function notes()']],
    ['alter table note enable row level security; create policy p on note using (false)', ['new policy p on note']],
    ['alter table note add column more text', []],
    ["alter table note add column more text not null default '' check (more <> 'x')", []],
    ['create table other (id int primary key references note); create index on note (at)', []],
  ])('%s', async (statements, expected) => {
    const [before, after] = await schemasOf([[first], [first, { id: '0002-next', up: (sql) => sql(statements) }]]);
    if (before === undefined || after === undefined) throw new Error('There are no schemas.');
    expect(hindrances(before, after)).toEqual(expected);
  });
});
