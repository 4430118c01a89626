import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const marketplaceMigrations: readonly Migration[] = [
  {
    id: '0052-marketplace',
    up(sql) {
      sql(`
create table marketplace_subscription (
  id uuid primary key,
  tenant_id uuid not null unique references tenant (id),
  opened_by uuid not null references app_user (id),
  state text not null check (state in ('opened', 'active', 'suspended', 'ended')),
  offer_id text not null,
  plan_id text not null,
  quantity integer check (quantity > 0),
  is_test boolean not null,
  activating_until timestamptz,
  automation_stopped boolean not null default false,
  plan_at timestamptz,
  quantity_at timestamptz,
  state_at timestamptz,
  term_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create table marketplace_operation (
  id uuid primary key,
  tenant_id uuid not null references marketplace_subscription (tenant_id),
  action text not null,
  outcome text not null check (outcome in ('applied', 'outdated', 'refused', 'ignored')),
  answer text check (answer in ('Success', 'Failure')),
  answered_at timestamptz,
  handled_at timestamptz not null
);
create index marketplace_operation_of_tenant on marketplace_operation (tenant_id, handled_at desc);
`);
      // Work on purchases crosses tenants; a tenant's own transactions have no business here.
      for (const table of ['marketplace_subscription', 'marketplace_operation'])
        sql(tenantTable(table, { appMay: [] }));
    },
  },
  {
    id: '0215-marketplace-looked-at',
    up(sql) {
      sql('alter table marketplace_subscription add column looked_at timestamptz');
    },
  },
];
