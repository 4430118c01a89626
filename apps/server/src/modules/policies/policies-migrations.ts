import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const policiesMigrations: readonly Migration[] = [
  {
    id: 'policies-0001',
    up(sql) {
      sql(`create table policy (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        enabled boolean not null default true,
        rule jsonb not null,
        version integer not null default 1,
        last_opened_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
      sql(`create index policy_by_name on policy (tenant_id, lower(rule ->> 'name'), id)`);
      sql(`create table policy_set (
        tenant_id uuid primary key references tenant,
        version bigint not null default 1
      )`);
      sql(tenantTable('policy'));
      sql(tenantTable('policy_set'));
    },
  },
];
