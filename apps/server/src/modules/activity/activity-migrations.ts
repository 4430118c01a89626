import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const activityMigrations: readonly Migration[] = [
  {
    id: '0112-approvals',
    up(sql) {
      sql(`
create table prompt_approval (
  tenant_id uuid not null references tenant (id),
  prompt_id uuid not null,
  option text not null,
  user_id uuid not null references app_user (id),
  username text not null,
  comment text,
  approved_at timestamptz not null,
  primary key (tenant_id, prompt_id)
);
create table prompt_link_use (
  tenant_id uuid not null references tenant (id),
  prompt_id uuid not null,
  mark text not null,
  used_at timestamptz not null,
  primary key (tenant_id, prompt_id, mark)
);
create index prompt_link_use_old on prompt_link_use (used_at);
`);
      sql(tenantTable('prompt_approval', { appMay: ['select', 'insert', 'update'] }));
      sql(tenantTable('prompt_link_use', { appMay: ['select', 'insert'] }));
    },
  },
  {
    id: '0184-start-pace',
    up(sql) {
      sql(`create table start_pace (
        tenant_id uuid not null references tenant (id),
        user_id uuid not null references app_user (id) on delete cascade,
        used integer not null,
        ends_at timestamptz not null,
        primary key (tenant_id, user_id)
      )`);
      sql('create index start_pace_of_user on start_pace (user_id)');
      sql(tenantTable('start_pace', { appMay: ['select', 'insert', 'update'] }));
    },
  },
];
