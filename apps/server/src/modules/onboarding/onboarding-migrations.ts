import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const onboardingMigrations: readonly Migration[] = [
  {
    id: '0050-onboarding',
    up(sql) {
      // Ids come from clients: with the tenant in the key nobody can find out, block or overwrite another tenant's.
      sql(`
create table onboarding (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  kind text not null check (kind in ('connector', 'tenant', 'marketplace')),
  title text not null check (length(title) between 1 and 200),
  step text not null,
  steps text[] not null,
  data jsonb not null,
  created_by text not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id)
);
create index onboarding_newest on onboarding (tenant_id, updated_at desc);
create table reachability_window (
  tenant_id uuid primary key references tenant (id),
  started_at timestamptz not null,
  calls integer not null
);
`);
      sql(tenantTable('onboarding'));
      sql(tenantTable('reachability_window'));
    },
  },
];
