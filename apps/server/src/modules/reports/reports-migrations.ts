import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const reportsMigrations: readonly Migration[] = [
  {
    id: '0125-search-reports',
    up(sql) {
      sql(`
create table search_report_schedule (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  name text not null check (length(name) between 1 and 200),
  search jsonb not null,
  format text not null,
  period text not null,
  at_minute integer not null check (at_minute between 0 and 1439),
  time_zone text not null,
  contact_ids jsonb not null,
  enabled boolean not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  next_slot_at timestamptz,
  check (enabled = (next_slot_at is not null))
);
create index search_report_schedule_of_tenant on search_report_schedule (tenant_id);
create index search_report_schedule_due on search_report_schedule (next_slot_at) where next_slot_at is not null;
create table search_report (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  name text not null check (length(name) between 1 and 200),
  format text not null,
  search jsonb not null,
  range_start timestamptz not null,
  range_end timestamptz not null,
  status text not null,
  created_at timestamptz not null,
  created_by text not null,
  schedule_id uuid,
  slot_at timestamptz,
  attempt integer not null,
  row_count bigint not null,
  size_bytes bigint not null,
  rows_expected bigint,
  cut_by text,
  failure text,
  file_id uuid unique,
  updated_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  unique (schedule_id, slot_at),
  check ((status = 'success') = (file_id is not null))
);
create index search_report_of_tenant on search_report (tenant_id, id desc);
create index search_report_expiry on search_report (expires_at) where expires_at is not null;
create index search_report_unfinished on search_report (updated_at) where finished_at is null;
`);
      for (const table of ['search_report', 'search_report_schedule']) sql(tenantTable(table));
    },
  },
  {
    // Ids of reports are in the order of their making, so the id a caller's key makes has a column of its own.
    id: '0151-search-report-requests-and-reach',
    up(sql) {
      sql('alter table search_report add column request_id uuid unique, add column request_hash text');
      sql('alter table search_report_schedule add column request_hash text');
      sql('alter table search_report_schedule add column covers_days integer check (covers_days between 1 and 366)');
    },
  },
];
