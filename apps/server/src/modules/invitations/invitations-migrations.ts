import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const invitationsMigrations: readonly Migration[] = [
  {
    id: '0043-invitations',
    up(sql) {
      sql(`
create table invitation (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  email text check (email = lower(email)),
  fullname text not null check (length(fullname) <= 200),
  role text not null check (role in ('Admin', 'SystemManager', 'Analyst', 'ReadOnly')),
  state text not null check (state in ('pending', 'accepted', 'revoked')),
  ticket_hash text not null unique,
  invited_by text not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null,
  sends integer not null,
  window_started_at timestamptz not null,
  expires_at timestamptz not null,
  unique (tenant_id, email)
);
create unique index invitation_one_set_up on invitation ((email is null)) where email is null;
`);
      // Who is invited where is looked up across tenants; no transaction of a tenant needs it.
      sql(tenantTable('invitation', { appMay: [] }));
    },
  },
];
