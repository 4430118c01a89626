import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const telemetryMigrations: readonly Migration[] = [
  {
    id: '0170-telemetry',
    up(sql) {
      sql(`
create table page_view (
  tenant_id uuid not null references tenant (id),
  day date not null,
  user_id uuid not null,
  route text not null check (length(route) <= 120),
  views int not null check (views > 0),
  primary key (tenant_id, day, user_id, route)
);
create table dashboard_error (
  tenant_id uuid not null references tenant (id),
  fingerprint text not null check (length(fingerprint) = 16),
  level text not null check (level in ('info', 'low', 'warning', 'error')),
  message text not null,
  route text not null,
  call text,
  status int,
  request_id text,
  release text not null,
  count int not null check (count > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, fingerprint)
);
create index dashboard_error_by_time on dashboard_error (tenant_id, last_at desc);
`);
      sql(tenantTable('page_view'));
      sql(tenantTable('dashboard_error'));
    },
  },
];
