import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const customersMigrations: readonly Migration[] = [
  {
    id: '0046-customers',
    up(sql) {
      sql(`
create table provider_role (
  provider_id uuid not null references tenant (id),
  user_id uuid not null,
  role text not null check (role in ('Admin', 'SystemManager', 'Analyst', 'ReadOnly')),
  primary key (user_id, provider_id),
  foreign key (user_id, provider_id) references membership (user_id, tenant_id) on delete cascade
);
create index provider_role_of_provider on provider_role (provider_id);
`);
      sql(tenantTable('provider_role', { tenantColumn: 'provider_id', appMay: ['select'] }));
    },
  },
];
