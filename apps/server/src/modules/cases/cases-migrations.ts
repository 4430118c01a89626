import type { Migration } from '../../storage/migrations.ts';
import { APP_ROLE, SYSTEM_ROLE } from '../../storage/roles.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const casesMigrations: readonly Migration[] = [
  {
    id: 'cases-0001',
    up(sql) {
      sql(`create table case_record (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        number integer not null,
        alert_type text not null check (alert_type in ('policy', 'manual')),
        policy_id uuid references policy on delete set null,
        group_key text,
        name text not null,
        description text not null,
        category text not null,
        severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
        severity_rank smallint not null,
        status text not null check (status in ('open', 'acknowledged', 'closed')),
        log_sources text[] not null,
        meta jsonb not null,
        opened_at timestamptz not null,
        time_opened timestamptz not null,
        time_acknowledged timestamptz,
        acknowledged_by text,
        time_closed timestamptz,
        closed_by text,
        closed_by_person boolean,
        close_reason text check (close_reason in ('true_positive', 'false_positive', 'benign', 'duplicate')),
        automated_response_at timestamptz,
        assignee text,
        tags text[] not null default '{}',
        event_count integer not null default 0,
        time_updated timestamptz not null,
        search_text text not null,
        unique (tenant_id, number),
        check ((status = 'closed') = (time_closed is not null))
      )`);
      // The guarantee behind "one case per policy and group while open", whatever the code above it does.
      sql(`create unique index case_one_open on case_record (tenant_id, policy_id, group_key)
        where status <> 'closed' and policy_id is not null`);
      sql('create index case_by_time_opened on case_record (tenant_id, time_opened desc, id desc)');
      sql('create index case_by_time_updated on case_record (tenant_id, time_updated desc, id desc)');
      sql('create index case_by_severity on case_record (tenant_id, severity_rank desc, time_opened desc, id desc)');
      sql('create index case_by_facet on case_record (tenant_id, status, severity, category, log_sources)');
      sql('create index case_by_meta on case_record using gin (meta jsonb_path_ops)');
      sql('create index case_of_policy on case_record (policy_id)');
      sql(tenantTable('case_record'));

      sql('create table case_counter (tenant_id uuid primary key references tenant, last_number integer not null)');
      sql(tenantTable('case_counter'));

      sql(`create table case_response (
        tenant_id uuid not null,
        case_id uuid not null references case_record on delete cascade,
        run_id uuid not null,
        response_name text not null,
        response_type text not null check (response_type in ('action', 'playbook')),
        status text not null,
        started_at timestamptz not null default now(),
        primary key (case_id, run_id)
      )`);
      sql(tenantTable('case_response'));

      sql(`create table case_activity (
        id uuid primary key,
        tenant_id uuid not null,
        case_id uuid not null references case_record on delete cascade,
        at timestamptz not null,
        username text not null,
        kind text not null,
        text text not null,
        data jsonb not null
      )`);
      sql('create index case_activity_of_case on case_activity (case_id, at, id)');
      sql(tenantTable('case_activity'));

      sql(`create table case_event (
        tenant_id uuid not null,
        case_id uuid not null references case_record on delete cascade,
        event_id uuid not null,
        event_time timestamptz not null,
        event jsonb not null,
        primary key (case_id, event_id)
      )`);
      sql('create index case_event_by_time on case_event (case_id, event_time, event_id)');
      sql(tenantTable('case_event', { appMay: ['select'] }));
    },
  },
  {
    id: 'cases-0137-policy-origin',
    up(sql) {
      sql('alter table case_record add column policy_origin jsonb');
      // The newest case of each policy, and how many are open.
      sql('create index case_newest_of_policy on case_record (tenant_id, policy_id, time_opened desc, id desc)');
    },
  },
];

/** After those of detection, whose groups it opens to cases. */
export const caseWorkMigrations: readonly Migration[] = [
  {
    id: '0145-case-clock',
    up(sql) {
      sql(`
alter table case_record
  add column respond_by timestamptz,
  add column resolve_by timestamptz,
  add column waiting_since timestamptz,
  add column clock_stood_s integer not null default 0,
  add column clock_next_at timestamptz,
  add column escalations smallint not null default 0;
create index case_clock_due on case_record (clock_next_at) where clock_next_at is not null;
create table case_sla_target (
  tenant_id uuid not null references tenant,
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  respond_minutes integer check (respond_minutes > 0),
  resolve_minutes integer check (resolve_minutes > 0),
  primary key (tenant_id, severity)
);
create table case_sla_change (
  tenant_id uuid primary key references tenant,
  updated_at timestamptz not null,
  updated_by text not null
);
create table case_sla_notice (
  tenant_id uuid not null,
  case_id uuid not null references case_record on delete cascade,
  kind text not null,
  at timestamptz not null,
  primary key (case_id, kind)
);
`);
      for (const table of ['case_sla_target', 'case_sla_change']) sql(tenantTable(table));
      sql(tenantTable('case_sla_notice', { appMay: [] }));
      // What is open gets the product's times; what is late by now is seen to be, but nobody is told of it all at once.
      sql(`
update case_record c set
  respond_by = c.time_opened + make_interval(mins => t.respond),
  resolve_by = c.time_opened + make_interval(mins => t.resolve),
  clock_next_at = case when c.time_opened + make_interval(mins => t.resolve) > now() then now() end
from (values ('critical', 15, 240), ('high', 60, 1440), ('medium', 240, 4320), ('low', 1440, 10080))
  as t (severity, respond, resolve)
where t.severity = c.severity and c.status <> 'closed'`);
    },
  },
  {
    id: '0146-case-suppressions',
    up(sql) {
      sql(`
create table case_suppression (
  id uuid primary key,
  tenant_id uuid not null references tenant,
  policy_id uuid not null references policy on delete cascade,
  group_key text not null,
  case_id uuid not null references case_record on delete cascade,
  until timestamptz not null,
  created_at timestamptz not null,
  created_by text not null,
  unique (tenant_id, policy_id, group_key)
);
create index case_suppression_until on case_suppression (tenant_id, until);
create index case_suppression_of_case on case_suppression (case_id);
create index case_suppression_of_policy on case_suppression (policy_id);
`);
      sql(tenantTable('case_suppression'));
      // Who closes a false positive suppresses the group in the same transaction.
      sql(`grant select, insert, update on policy_group to ${APP_ROLE}`);
    },
  },
  {
    id: '0156-case-figures',
    up(sql) {
      // Facets of a time and the overview read these alone, without the cases themselves, which are a kilobyte each.
      sql(`
create index case_by_time_opened_figures on case_record (tenant_id, time_opened desc, id desc)
  include (status, severity, category, log_sources, policy_id, alert_type, opened_at, time_acknowledged, time_closed,
    closed_by_person, close_reason, automated_response_at);
drop index case_by_time_opened;
create index case_response_by_start on case_response (tenant_id, started_at) include (case_id, response_type, status);
`);
    },
  },
  {
    id: '0153-cases-of-event',
    up(sql) {
      sql('create index case_event_of_event on case_event (event_id)');
    },
  },
  {
    id: '0172-responses-by-hand',
    up(sql) {
      // Of runs that are there already, the trigger says who started them.
      sql(`
alter table case_response add column by_hand boolean not null default false;
alter table case_response no force row level security;
alter table engine.run no force row level security;
update case_response s set by_hand = true from engine.run r
  where r.tenant_id = s.tenant_id and r.id = s.run_id and r.trigger ->> 'trigger_type' = 'manual';
alter table engine.run force row level security;
alter table case_response force row level security;
drop index case_response_by_start;
create index case_response_by_start on case_response (tenant_id, started_at)
  include (case_id, response_type, status, by_hand);
`);
    },
  },
  {
    id: 'cases-0192-request-hash',
    up(sql) {
      sql(`
alter table case_record add column request_hash text;
alter table case_activity add column request_id uuid, add column request_hash text;
create unique index case_activity_of_request on case_activity (request_id) where request_id is not null;
`);
    },
  },
  {
    id: '0199-case-group-values',
    up(sql) {
      // Filled by a trigger, because processes of the release before open cases too while they are replaced. The key is a
      // hash: a value may be longer than an index holds. `=` on it may be asked under row-level security, `jsonb @>` may not.
      sql(`
create table case_group_value (
  tenant_id uuid not null references tenant,
  case_id uuid not null references case_record on delete cascade,
  value_hash bytea not null,
  time_opened timestamptz not null,
  primary key (case_id, value_hash)
);
create function keep_case_group_values() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from case_group_value where case_id = new.id;
  end if;
  if jsonb_typeof(new.meta) <> 'object' then
    return null;
  end if;
  insert into case_group_value (tenant_id, case_id, value_hash, time_opened)
    select new.tenant_id, new.id, sha256(convert_to(jsonb_build_object(v.key, v.value)::text, 'UTF8')), new.time_opened
    from jsonb_each(new.meta) v
    on conflict do nothing;
  return null;
end $$;
create trigger case_group_values_kept after insert or update of meta, time_opened on case_record
  for each row execute function keep_case_group_values();
`);
      sql(tenantTable('case_group_value'));
      // As the system role, which sees every tenant: lifting the force from the cases would lock out their readers meanwhile.
      sql(`
set local role ${SYSTEM_ROLE};
insert into case_group_value (tenant_id, case_id, value_hash, time_opened)
  select c.tenant_id, c.id, sha256(convert_to(jsonb_build_object(v.key, v.value)::text, 'UTF8')), c.time_opened
  from case_record c cross join lateral jsonb_each(case jsonb_typeof(c.meta) when 'object' then c.meta else '{}' end) v
  on conflict do nothing;
set local role none;
create index case_by_group_value on case_group_value (tenant_id, value_hash, time_opened desc, case_id desc);
analyze case_group_value;
`);
    },
  },
  {
    // Alone, or it would wait for readers while writers wait for it. Row-level security kept everybody from using it.
    id: '0199-case-by-meta-gone',
    up(sql) {
      sql('drop index case_by_meta');
    },
  },
  {
    id: '0205-case-severity-changes',
    up(sql) {
      // A list shows how severe each of its cases was, and must not read a whole story for one or two entries of it.
      sql(`create index case_severity_change on case_activity (case_id, at, id) where kind = 'severity_changed'`);
    },
  },
];
