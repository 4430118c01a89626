import type { Migration } from '../../storage/migrations.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const ssoMigrations: readonly Migration[] = [
  {
    id: '0025-sso',
    up(sql) {
      sql(`
create table sso_connection (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  kind text not null check (kind in ('microsoft', 'google', 'oidc')),
  label text not null check (length(label) between 1 and 60),
  issuer text not null,
  client_id text not null,
  wrapped_key jsonb,
  sealed_secret jsonb,
  secret_set_at timestamptz,
  domains text[] not null,
  join_enabled boolean not null,
  default_role text check (default_role in ('Admin', 'SystemManager', 'Analyst', 'ReadOnly')),
  groups_claim text not null,
  group_roles jsonb not null,
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sso_connection_of_tenant on sso_connection (tenant_id, created_at);
create index sso_connection_domains on sso_connection using gin (domains) where enabled;
create table sso_membership (
  tenant_id uuid not null,
  user_id uuid not null,
  connection_id uuid not null,
  role text not null check (role in ('Admin', 'SystemManager', 'Analyst', 'ReadOnly')),
  primary key (tenant_id, user_id),
  foreign key (user_id, tenant_id) references membership (user_id, tenant_id) on delete cascade
);
`);
      sql(tenantTable('sso_connection'));
      sql(tenantTable('sso_membership', { appMay: ['select'] }));
      // One account per issuer and subject, whatever number of first sign-ins arrive at once.
      sql(`
create unique index account_external on identity."account" ("providerId", "accountId") where "providerId" like 'oidc:%';
create table identity.external_account (
  account_id text primary key references identity."account" ("id") on delete cascade,
  label text not null,
  shown text not null,
  connection text not null,
  linked_at timestamptz not null
);
create table identity.external_sign_in (
  state_hash bytea primary key,
  browser_hash bytea not null,
  connection text not null,
  purpose text not null,
  user_id text references identity."user" ("id") on delete cascade,
  answered_at timestamptz,
  answer text,
  expires_at timestamptz not null
);
create index external_sign_in_browser on identity.external_sign_in (browser_hash);
create index external_sign_in_expiry on identity.external_sign_in (expires_at);
grant select, insert, update, delete on identity.external_account, identity.external_sign_in to ${SYSTEM_ROLE};
`);
    },
  },
  {
    /**
     * Domains that connections named before this come without a proof: whoever typed them may not own them, and a domain
     * counts for one tenant only. Nothing else changes for those installations: sessions, linked accounts and
     * memberships stay, passwords work as before, and where single sign-on is the only way in a break-glass account
     * gets in and proves the domain. Until then it sends nobody to the connection and lets nobody new join.
     */
    id: '0072-sso-domains',
    up(sql) {
      sql(`
create table sso_domain (
  tenant_id uuid not null references tenant (id),
  domain text not null,
  token text not null,
  proved_at timestamptz,
  checked_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, domain)
);
create unique index sso_domain_owner on sso_domain (domain) where proved_at is not null;
`);
      // The owner of the tables may be no superuser, and would see no row while row-level security is forced on it.
      sql(`
alter table sso_connection no force row level security;
insert into sso_domain (tenant_id, domain, token, created_at)
select tenant_id, domain, replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), now()
from (select distinct c.tenant_id, d.domain from sso_connection c cross join unnest(c.domains) d (domain)) named;
alter table sso_connection force row level security;
`);
      sql(tenantTable('sso_domain', { appMay: ['select'] }));
    },
  },
  {
    id: '0073-external-directory',
    up(sql) {
      sql(`
alter table identity.external_account add column directory_tenant uuid;
alter table identity.external_account add column directory_object uuid;
`);
    },
  },
];
