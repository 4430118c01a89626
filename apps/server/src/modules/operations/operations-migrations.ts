import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { systemTable } from '../../storage/tenant-table.ts';

export const operationsMigrations: readonly Migration[] = [
  {
    id: '0189-operations',
    up(sql) {
      sql(`
create table process_report (
  id uuid primary key,
  role text not null,
  host text not null check (length(host) <= 255),
  release text not null,
  node text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  figures jsonb not null
);
create table objective_minute (
  objective text not null,
  minute timestamptz not null,
  good bigint not null check (good >= 0),
  bad bigint not null check (bad >= 0),
  primary key (objective, minute)
);
create table objective_alert (
  objective text primary key,
  severity text not null check (severity in ('urgent', 'slow')),
  since timestamptz not null
);
-- Sessions belong to the login, and nobody but it may see what they do; of that only two figures are told.
create function database_sessions(out connections int, out oldest_transaction_seconds float8)
language sql security definer set search_path = pg_catalog as $$
  select count(*)::int, greatest(0, extract(epoch from clock_timestamp() - min(xact_start) filter (
    where pid <> pg_backend_pid() and datname = current_database())))::float8
  from pg_stat_activity where backend_type = 'client backend'
$$;
revoke all on function database_sessions() from public;
grant execute on function database_sessions() to ${SYSTEM_ROLE};
`);
      for (const name of ['process_report', 'objective_minute', 'objective_alert']) sql(systemTable(name));
    },
  },
  {
    id: '0209-stalled-work',
    up(sql) {
      sql(`create table stalled_work (id boolean primary key default true check (id), since timestamptz not null)`);
      sql(systemTable('stalled_work'));
    },
  },
];
