import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

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
];
