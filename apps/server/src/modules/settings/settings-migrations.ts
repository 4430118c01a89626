import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const settingsMigrations: readonly Migration[] = [
  {
    id: '0045-settings',
    up(sql) {
      sql(`
create table tenant_settings (
  tenant_id uuid primary key references tenant (id),
  mfa_required_for_social boolean not null default false,
  sso_required boolean not null default false,
  break_glass text[] not null default '{}',
  retention_days integer check (retention_days between 1 and 3650),
  automation_enabled boolean not null default true,
  automation_changed_by text,
  automation_changed_at timestamptz,
  updated_at timestamptz not null
);
`);
      sql(tenantTable('tenant_settings'));
    },
  },
  {
    id: '0110-two-people-approve',
    up(sql) {
      sql('alter table tenant_settings add column two_people_approve boolean not null default false');
    },
  },
];
