import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';

export const passkeyMigrations: readonly Migration[] = [
  {
    id: '0024-passkeys',
    up(sql) {
      sql(`
create table identity.passkey (
  id text primary key,
  user_id text not null references identity."user" (id) on delete cascade,
  credential_id text not null unique check (length(credential_id) <= 1400),
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_of_user on identity.passkey (user_id, created_at);
create table identity.passkey_challenge (
  id text primary key,
  challenge text not null,
  user_id text references identity."user" (id) on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_expiry on identity.passkey_challenge (expires_at);
grant select, insert, update, delete on identity.passkey, identity.passkey_challenge to ${SYSTEM_ROLE};
`);
    },
  },
];
