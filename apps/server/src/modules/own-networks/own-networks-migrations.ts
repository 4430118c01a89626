import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const ownNetworksMigrations: readonly Migration[] = [
  {
    id: '0090-own-networks',
    up(sql) {
      sql(`
create table tenant_own_networks (
  tenant_id uuid primary key references tenant (id),
  networks jsonb not null check (jsonb_typeof(networks) = 'array' and jsonb_array_length(networks) <= 50),
  updated_at timestamptz not null
);
`);
      sql(tenantTable('tenant_own_networks'));
    },
  },
];
