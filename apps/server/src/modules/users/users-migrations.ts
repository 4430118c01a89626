import type { Migration } from '../../storage/migrations.ts';
import { systemTable } from '../../storage/tenant-table.ts';

export const usersMigrations: readonly Migration[] = [
  {
    id: '0043-user-sign-ins',
    up(sql) {
      sql(`
create table user_sign_in (
  user_id uuid primary key references app_user (id) on delete cascade,
  last_sign_in_at timestamptz not null
);
`);
      sql(systemTable('user_sign_in'));
    },
  },
];
