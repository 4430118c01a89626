import type { Migration } from '../../storage/migrations.ts';
import { APP_ROLE, SYSTEM_ROLE } from '../../storage/roles.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

/** Payload: the id of the user whose access is not what it was. Sent when the change commits. */
export const ACCESS_CHANNEL = 'airdeck_access';

export const tenantsMigrations: readonly Migration[] = [
  {
    id: '0001-tenants',
    up(sql) {
      sql(`
create table tenant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  managed_by uuid references tenant (id),
  sku_info jsonb not null,
  created_at timestamptz not null default now()
);
create table app_user (
  id uuid primary key,
  uname text not null unique check (length(uname) between 1 and 254),
  fullname text not null check (length(fullname) between 1 and 200),
  email text not null unique check (email = lower(email)),
  home_tenant_id uuid not null references tenant (id),
  locale text not null,
  identity_issuer text not null,
  identity_subject text not null,
  status text not null check (status in ('active', 'invited', 'disabled')),
  created_at timestamptz not null default now(),
  unique (identity_issuer, identity_subject)
);
create table membership (
  tenant_id uuid not null references tenant (id),
  user_id uuid not null references app_user (id),
  role text not null check (role in ('Admin', 'SystemManager', 'Analyst', 'ReadOnly')),
  created_at timestamptz not null default now(),
  primary key (user_id, tenant_id)
);
create index membership_of_tenant on membership (tenant_id);
`);
      sql(tenantTable('tenant', { tenantColumn: 'id', appMay: ['select'] }));
      sql(tenantTable('membership'));
      // A tenant sees the people who work in it, wherever their home is; the rows of membership it sees are its own.
      sql(`
alter table app_user enable row level security;
alter table app_user force row level security;
create policy tenant_rows on app_user for select to ${APP_ROLE}
  using (exists (select 1 from membership m where m.user_id = app_user.id));
create policy system_rows on app_user to ${SYSTEM_ROLE} using (true) with check (true);
grant select on app_user to ${APP_ROLE};
grant select, insert, update, delete on app_user to ${SYSTEM_ROLE};
`);
      sql(`
create function announce_membership_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('${ACCESS_CHANNEL}', coalesce(new.user_id, old.user_id)::text);
  return null;
end $$;
create function announce_user_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('${ACCESS_CHANNEL}', new.id::text);
  return null;
end $$;
create trigger membership_announced after update or delete on membership
  for each row execute function announce_membership_change();
create trigger app_user_announced after update of status on app_user
  for each row execute function announce_user_change();
`);
    },
  },
  {
    id: '0040-people-and-brands',
    up(sql) {
      sql(`
alter table tenant add column is_provider boolean not null default false;
alter table tenant add column brand jsonb not null default '{"display_name": "", "colour": null, "logo": null}';
alter table membership add column source text not null default 'direct' check (source in ('direct', 'provider'));
alter table app_user add column phone text not null default '';
alter table app_user add column job_title text not null default '';
alter table app_user add column timezone text not null default '';
alter table app_user add column notification_preferences jsonb;
create index app_user_home on app_user (home_tenant_id);
create index tenant_managed_by on tenant (managed_by);
`);
    },
  },
];
