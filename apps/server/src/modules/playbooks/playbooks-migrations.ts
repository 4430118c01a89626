import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

/** What is written once and read for ever. */
const written = ['select', 'insert'] as const;

export const playbooksMigrations: readonly Migration[] = [
  {
    id: 'playbooks-0001',
    up(sql) {
      sql(`create table playbook (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        version integer not null default 1,
        definition jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
      sql('create index playbook_of_tenant on playbook (tenant_id)');
      sql(tenantTable('playbook'));
    },
  },
  {
    id: 'playbooks-0002-versions',
    up(sql) {
      sql(`
alter table playbook
  alter column definition drop not null,
  add column draft_revision integer not null default 0,
  add column request_hash text,
  add unique (tenant_id, id),
  add check ((version = 0) = (definition is null));
create table playbook_version (
  tenant_id uuid not null,
  playbook_id uuid not null,
  version integer not null check (version >= 1),
  definition jsonb not null,
  note text not null,
  published_at timestamptz not null,
  published_by text not null,
  primary key (tenant_id, playbook_id, version),
  foreign key (tenant_id, playbook_id) references playbook (tenant_id, id) on delete cascade
);
create table playbook_draft (
  tenant_id uuid not null,
  playbook_id uuid not null,
  revision integer not null check (revision >= 1),
  definition jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (tenant_id, playbook_id),
  foreign key (tenant_id, playbook_id) references playbook (tenant_id, id) on delete cascade
);
create table playbook_run (
  tenant_id uuid not null,
  run_id uuid not null,
  playbook_id uuid not null,
  version integer not null,
  dry_run boolean not null,
  primary key (tenant_id, run_id),
  foreign key (tenant_id, playbook_id) references playbook (tenant_id, id) on delete cascade
);
create index playbook_run_newest on playbook_run (tenant_id, playbook_id, run_id desc) include (dry_run);
-- Forced row-level security hides every row from the owner, who writes this.
alter table playbook no force row level security;
insert into playbook_version
  select tenant_id, id, version, definition, '', updated_at, coalesce(definition #>> '{metadata,updated_by}', '')
  from playbook;
alter table playbook force row level security;
`);
      sql(tenantTable('playbook_version', { appMay: written, systemMay: written }));
      sql(tenantTable('playbook_draft'));
      sql(tenantTable('playbook_run', { appMay: written, systemMay: written }));
    },
  },
  {
    id: 'playbooks-0003-run-notes',
    up(sql) {
      sql(`
-- A reference would lock the playbook for every start, in another order than whoever deletes it locks the audit chain.
alter table playbook_run drop constraint playbook_run_tenant_id_playbook_id_fkey;
-- Runs are counted from the index alone, which takes a table that is vacuumed now and then.
alter table playbook_run set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
`);
    },
  },
  {
    id: '0204-old-runs',
    up(sql) {
      sql(`grant delete on playbook_run to ${SYSTEM_ROLE}`);
    },
  },
];
