import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const executiveReportsMigrations: readonly Migration[] = [
  {
    id: '0164-executive-reports',
    up(sql) {
      sql(`
create table executive_report (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  kind text not null check (kind in ('monthly', 'on_demand')),
  month text not null check (month ~ '^20[0-9]{2}-[0-9]{2}$'),
  name text not null check (length(name) between 1 and 300),
  locale text not null,
  time_zone text not null,
  range_start timestamptz not null,
  range_end timestamptz not null,
  status text not null,
  attempt integer not null,
  created_at timestamptz not null,
  created_by text not null,
  asked_by uuid,
  updated_at timestamptz not null,
  finished_at timestamptz,
  failure text,
  file_id uuid unique,
  size_bytes bigint not null,
  pages integer not null,
  facts jsonb,
  expires_at timestamptz,
  unique (tenant_id, kind, month),
  check ((status = 'success') = (file_id is not null))
);
create index executive_report_of_tenant on executive_report (tenant_id, id desc);
create index executive_report_expiry on executive_report (expires_at) where expires_at is not null;
create index executive_report_unfinished on executive_report (updated_at) where finished_at is null;
create table executive_report_settings (
  tenant_id uuid primary key references tenant (id),
  enabled boolean not null,
  locale text,
  time_zone text,
  contact_ids jsonb not null,
  user_ids jsonb not null,
  last_month text,
  updated_at timestamptz
);
`);
      for (const table of ['executive_report', 'executive_report_settings']) sql(tenantTable(table));
    },
  },
  {
    id: '0208-executive-report-anew',
    up(sql) {
      // The one that is there stays until the new one of its month is. Not unique: the release before orders one in its place.
      sql(`
alter table executive_report drop constraint executive_report_tenant_id_kind_month_key;
create index executive_report_of_month on executive_report (tenant_id, kind, month, id desc);
`);
    },
  },
];
