import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const contractMigrations: readonly Migration[] = [
  {
    id: '0049-contract',
    up(sql) {
      sql(`
create table contract (
  id uuid primary key,
  tenant_id uuid not null unique references tenant (id),
  start_date date not null,
  end_date date not null check (end_date > start_date),
  renewal_notice_date date,
  seats integer check (seats > 0),
  updated_at timestamptz not null
);
create table contract_file (
  id uuid primary key,
  tenant_id uuid not null references contract (tenant_id),
  name text not null check (length(name) between 1 and 200),
  size_bytes bigint not null,
  uploaded_at timestamptz not null
);
create index contract_file_of_tenant on contract_file (tenant_id, uploaded_at desc);
create table billing (
  tenant_id uuid primary key references tenant (id),
  address text not null,
  city text not null,
  contact_email text not null,
  contact_name text not null,
  contact_phone text not null,
  state text not null,
  zip_code text not null,
  updated_at timestamptz not null
);
`);
      for (const table of ['contract', 'contract_file', 'billing']) sql(tenantTable(table));
    },
  },
];
