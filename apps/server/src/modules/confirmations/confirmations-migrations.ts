import type { Migration } from '../../storage/migrations.ts';
import { systemTable } from '../../storage/tenant-table.ts';

export const confirmationsMigrations: readonly Migration[] = [
  {
    id: '0041-confirmations',
    up(sql) {
      sql(`
create table confirmation (
  user_id uuid not null references app_user (id) on delete cascade,
  route_id text not null,
  object_hash text not null,
  expires_at timestamptz not null,
  primary key (user_id, route_id, object_hash)
);
create table confirmation_guesses (
  user_id uuid not null references app_user (id) on delete cascade,
  route_id text not null,
  failures integer not null,
  locked_until timestamptz,
  primary key (user_id, route_id)
);
`);
      sql(systemTable('confirmation'));
      sql(systemTable('confirmation_guesses'));
    },
  },
];
