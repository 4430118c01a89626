import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

/** Never changed; old ones make room. */
const writtenOnce = ['select', 'insert', 'delete'] as const;

export const policiesMigrations: readonly Migration[] = [
  {
    id: 'policies-0001',
    up(sql) {
      sql(`create table policy (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        enabled boolean not null default true,
        rule jsonb not null,
        version integer not null default 1,
        last_opened_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )`);
      sql(`create index policy_by_name on policy (tenant_id, lower(rule ->> 'name'), id)`);
      sql(`create table policy_set (
        tenant_id uuid primary key references tenant,
        version bigint not null default 1
      )`);
      sql(tenantTable('policy'));
      sql(tenantTable('policy_set'));
    },
  },
  {
    id: 'policies-0135-content',
    up(sql) {
      sql(`
alter table policy
  add column origin text not null default 'own' check (origin in ('own', 'starter', 'sigma', 'provider')),
  add column created_by text not null default '',
  add column updated_by text not null default '',
  add column request_hash text,
  add column published_from uuid,
  add column overridden boolean not null default false,
  add column severity text generated always as (rule ->> 'severity') stored,
  add column sources jsonb generated always as (
    jsonb_path_query_array(rule, '$.logic.source.connector_definition_id')
    || jsonb_path_query_array(rule, '$.logic.source.also[*].connector_definition_id')) stored,
  add column search_text text generated always as (lower(
    coalesce(rule ->> 'name', '') || ' ' || coalesce(rule ->> 'description', '') || ' '
    || coalesce(rule #>> '{techniques}', '') || ' ' || coalesce(rule #>> '{origin,author}', '') || ' '
    || coalesce(rule #>> '{logic,source}', ''))) stored,
  add column sigma_id text generated always as (nullif(lower(rule #>> '{origin,id}'), '')) stored,
  add unique (tenant_id, id);
create index policy_by_sigma_id on policy (tenant_id, sigma_id) where sigma_id is not null;
create index policy_by_publisher on policy (tenant_id, published_from) where published_from is not null;
create table policy_version (
  tenant_id uuid not null,
  policy_id uuid not null,
  version integer not null check (version >= 1),
  change text not null,
  note text not null,
  enabled boolean not null,
  rule jsonb not null,
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (tenant_id, policy_id, version),
  foreign key (tenant_id, policy_id) references policy (tenant_id, id) on delete cascade
);
create table policy_source_text (
  tenant_id uuid not null,
  policy_id uuid not null,
  format text not null check (format in ('sigma')),
  file text not null,
  text text not null,
  primary key (tenant_id, policy_id),
  foreign key (tenant_id, policy_id) references policy (tenant_id, id) on delete cascade
);
-- Forced row-level security hides every row from the owner, who writes this.
alter table policy no force row level security;
update policy set origin = 'sigma' where rule #>> '{origin,format}' = 'sigma';
insert into policy_version
  select tenant_id, id, version, 'created', '', enabled, rule, updated_at, '' from policy;
alter table policy force row level security;
`);
      sql(tenantTable('policy_version', { appMay: writtenOnce, systemMay: writtenOnce }));
      sql(tenantTable('policy_source_text'));
    },
  },
  {
    id: 'policies-0186-pace',
    up(sql) {
      sql('alter table policy add column pace_from timestamptz, add column pace_cases integer not null default 0');
    },
  },
  {
    id: 'policies-0200-counts-from',
    up(sql) {
      // Null where matches of any age count; a release before this one leaves it as it is.
      sql('alter table policy add column counts_from timestamptz');
    },
  },
];
