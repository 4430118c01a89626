import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const playbooksMigrations: readonly Migration[] = [
  {
    id: 'playbooks-0001',
    up(sql) {
      sql(`create table playbook (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        version integer not null default 1,
        definition jsonb not null,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
      sql('create index playbook_of_tenant on playbook (tenant_id)');
      sql(tenantTable('playbook'));
    },
  },
];
