import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';

/** From when on hashes of passwords are made that the release before cannot verify. */
export const passwordCostMigrations: readonly Migration[] = [
  {
    id: '0198-password-cost',
    up(sql) {
      sql(`
create table identity.password_hashing (
  only_row boolean primary key default true check (only_row),
  present_from timestamptz not null
);
insert into identity.password_hashing (present_from)
  select case when exists (select from identity."account" where "password" is not null)
    then now() + interval '1 day' else to_timestamp(0) end;
grant select on identity.password_hashing to ${SYSTEM_ROLE};
`);
    },
  },
];
