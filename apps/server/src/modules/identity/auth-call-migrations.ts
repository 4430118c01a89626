import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';

export const authCallMigrations: readonly Migration[] = [
  {
    id: '0197-auth-call-window',
    up(sql) {
      sql(`
create unlogged table identity.auth_call_window (
  address bytea primary key,
  began_at timestamptz not null,
  calls integer not null
);
grant select, insert, update, delete on identity.auth_call_window to ${SYSTEM_ROLE};
`);
    },
  },
];
