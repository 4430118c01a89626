import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const connectorsMigrations: readonly Migration[] = [
  {
    id: 'connectors-0001',
    up(sql) {
      sql(`create table connector (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        definition_id text not null,
        name text not null,
        enabled boolean not null default true,
        is_default boolean not null default true,
        state text not null check (state in ('active', 'paused', 'error', 'pending')),
        config jsonb not null,
        last_successful_connection timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
      sql('create index connector_of_tenant on connector (tenant_id, definition_id)');
      sql(`create unique index connector_default on connector (tenant_id, definition_id) where is_default`);
      sql(tenantTable('connector'));
      sql(`create table connector_secret (
        tenant_id uuid not null,
        connector_id uuid not null references connector on delete cascade,
        field text not null,
        sealed jsonb not null,
        definition_version text not null,
        primary key (connector_id, field)
      )`);
      sql('create index connector_secret_of_tenant on connector_secret (tenant_id)');
      sql(tenantTable('connector_secret'));
      sql('create table tenant_data_key (tenant_id uuid primary key references tenant, wrapped jsonb not null)');
      sql(tenantTable('tenant_data_key'));
    },
  },
];
