import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';

/**
 * Mailed codes and the limits on mails are kept by the hash of the address, so that they exist for unknown addresses
 * alike; both are swept when they have run out.
 */
export const recoveryMigrations: readonly Migration[] = [
  {
    id: '0022-recovery',
    up(sql) {
      sql(`
alter table identity."user"
  add column "passwordResetRequired" boolean not null default false,
  add column "passwordVersion" integer not null default 0;
create table identity.mail_code (
  subject text primary key,
  code_hash text not null,
  expires_at timestamptz not null
);
create table identity.mail_limit (
  subject text primary key,
  used integer not null,
  ends_at timestamptz not null
);
create table identity.password_history (
  id bigint generated always as identity primary key,
  user_id text not null references identity."user" ("id") on delete cascade,
  hash text not null
);
create index password_history_of_user on identity.password_history (user_id, id desc);
create table identity.pending_totp (
  user_id text primary key references identity."user" ("id") on delete cascade,
  secret text not null,
  expires_at timestamptz not null
);
`);
      for (const table of ['mail_code', 'mail_limit', 'password_history', 'pending_totp']) {
        sql(`grant select, insert, update, delete on identity.${table} to ${SYSTEM_ROLE};`);
      }
    },
  },
];
