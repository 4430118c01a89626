import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';

export const signUpMigrations: readonly Migration[] = [
  {
    id: '0026-sign-up',
    up(sql) {
      sql(`
create table identity.pending_sign_up (
  browser_hash bytea primary key,
  email text not null,
  fullname text not null,
  password_hash text not null,
  expires_at timestamptz not null
);
create index pending_sign_up_expiry on identity.pending_sign_up (expires_at);
grant select, insert, update, delete on identity.pending_sign_up to ${SYSTEM_ROLE};
`);
    },
  },
];
