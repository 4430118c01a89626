import type { Migration } from '../../storage/migrations.ts';
import { systemTable, tenantTable } from '../../storage/tenant-table.ts';

export const meMigrations: readonly Migration[] = [
  {
    id: '0030-api-keys',
    up(sql) {
      sql(`
create table api_key (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  user_id uuid not null references app_user (id),
  name text not null check (length(name) between 1 and 100),
  role text not null check (role in ('Admin', 'SystemManager', 'Analyst', 'ReadOnly')),
  key_hash text not null unique,
  hint text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_key_of_user on api_key (user_id, created_at desc);
`);
      sql(tenantTable('api_key'));
    },
  },
  {
    id: '0178-home-layout',
    up(sql) {
      // Of a user, not of a tenant: the same home page in all of them.
      sql(`
create table home_layout (
  user_id uuid primary key references app_user (id) on delete cascade,
  version integer not null,
  widgets jsonb,
  known text[] not null,
  saved_at timestamptz not null
);
`);
      sql(systemTable('home_layout'));
    },
  },
];
