import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const openapiImportMigrations: readonly Migration[] = [
  {
    id: '0091-openapi-import',
    up(sql) {
      sql(`
create table openapi_document (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  content bytea not null check (octet_length(content) <= 5242880),
  created_at timestamptz not null
);
create index openapi_document_tenant on openapi_document (tenant_id, created_at);
create table own_integration (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  name text not null,
  version integer not null check (version >= 1),
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (tenant_id, id)
);
create unique index own_integration_name on own_integration (tenant_id, lower(name));
create table own_integration_version (
  tenant_id uuid not null,
  integration_id uuid not null,
  version integer not null,
  definition jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (integration_id, version),
  foreign key (tenant_id, integration_id) references own_integration (tenant_id, id) on delete cascade
);
`);
      sql(tenantTable('openapi_document'));
      sql(tenantTable('own_integration'));
      sql(tenantTable('own_integration_version'));
    },
  },
];
