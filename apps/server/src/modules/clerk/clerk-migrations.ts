import type { Migration } from '../../storage/migrations.ts';
import { systemTable } from '../../storage/tenant-table.ts';

export const clerkMigrations: readonly Migration[] = [
  {
    id: '0070-clerk',
    up(sql) {
      sql(`
create table clerk_user (
  subject text primary key check (length(subject) between 1 and 200),
  linked_user uuid,
  changed_at timestamptz not null,
  deleted_at timestamptz
);
create table clerk_task (
  kind text not null check (kind in ('link', 'delete_user', 'invite', 'revoke_invitation')),
  object text not null,
  detail text not null,
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz,
  failure text,
  primary key (kind, object)
);
create index clerk_task_due on clerk_task (due_at) where due_at is not null;
create table clerk_invitation (
  clerk_id text primary key,
  invitation_id uuid not null,
  created_at timestamptz not null
);
create index clerk_invitation_of on clerk_invitation (invitation_id);
create table clerk_message (
  id text primary key,
  received_at timestamptz not null
);
create index clerk_message_age on clerk_message (received_at);
`);
      for (const table of ['clerk_user', 'clerk_task', 'clerk_invitation', 'clerk_message']) sql(systemTable(table));
    },
  },
];
