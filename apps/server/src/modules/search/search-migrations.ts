import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const searchMigrations: readonly Migration[] = [
  {
    id: '0120-saved-searches',
    up(sql) {
      sql(`
create table saved_search (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  owner_id uuid not null,
  name text not null check (length(name) between 1 and 120),
  shared boolean not null,
  criteria jsonb not null,
  time_range jsonb not null,
  columns jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index saved_search_by_owner on saved_search (tenant_id, owner_id, lower(name));
create index saved_search_shared on saved_search (tenant_id) where shared;
`);
      sql(tenantTable('saved_search'));
    },
  },
  {
    id: '0181-saved-search-order',
    up(sql) {
      sql(`
alter table saved_search
  add column sort text not null default 'newest' check (sort in ('newest', 'oldest'));
`);
    },
  },
  {
    id: '0212-saved-searches-left-behind',
    up(sql) {
      // Before, the private searches of an account that was deleted stayed: nobody could see them, or delete them.
      sql(`set local role ${SYSTEM_ROLE}`);
      sql(`
delete from saved_search
where not shared and owner_id in (select id from app_user where identity_issuer = 'urn:airdeck:deleted');
set local role none;
`);
    },
  },
];
