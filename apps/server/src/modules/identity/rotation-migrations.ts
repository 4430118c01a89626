import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';

export const rotationMigrations: readonly Migration[] = [
  {
    id: '0023-rotation',
    up(sql) {
      sql(`
alter table identity."session" add column "lastSeenAt" timestamptz;
create table identity.replaced_token (
  token_hash bytea primary key,
  session_id text not null references identity."session" (id) on delete cascade,
  replaced_at timestamptz not null,
  successor_hash bytea not null
);
create index replaced_token_of_session on identity.replaced_token (session_id);
grant select, insert, update, delete on identity.replaced_token to ${SYSTEM_ROLE};
`);
    },
  },
  {
    id: '0201-sessions-by-end',
    up: (sql) => sql('create index session_by_end on identity."session" ("expiresAt")'),
  },
];
