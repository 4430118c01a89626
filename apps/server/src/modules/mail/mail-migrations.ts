import type { Migration } from '../../storage/migrations.ts';
import { systemTable } from '../../storage/tenant-table.ts';

export const mailMigrations: readonly Migration[] = [
  {
    id: '0042-mail',
    up(sql) {
      sql(`
create table mail (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  dedupe_key text unique,
  created_at timestamptz not null default now(),
  attempts integer not null default 0,
  due_at timestamptz,
  sent_at timestamptz,
  failure text
);
create index mail_due on mail (due_at) where due_at is not null;
create index mail_newest on mail (created_at desc);
`);
      sql(systemTable('mail'));
    },
  },
];
