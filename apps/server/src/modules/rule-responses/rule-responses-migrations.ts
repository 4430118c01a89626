import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const ruleResponsesMigrations: readonly Migration[] = [
  {
    id: 'rule-responses-0001',
    up(sql) {
      sql(`create table rule_response (
        tenant_id uuid not null references tenant,
        rule_id uuid not null references policy on delete cascade,
        response_name text not null,
        response_type text not null check (response_type in ('action', 'playbook')),
        definition_id text not null,
        connector_id uuid references connector on delete set null,
        inputs jsonb not null,
        enabled boolean not null default true,
        created_by text not null,
        owner_user_id uuid references app_user,
        updated_at timestamptz not null,
        primary key (tenant_id, rule_id, response_name)
      )`);
      sql('create index rule_response_of_rule on rule_response (rule_id)');
      sql(tenantTable('rule_response'));
    },
  },
];

/** After the tables of cases, which it refers to. */
export const automationMigrations: readonly Migration[] = [
  {
    id: '0140-rule-response-outcomes',
    up(sql) {
      sql(`
-- A response outlives its policy and its connector, to show that they are gone instead of vanishing or acting elsewhere.
alter table rule_response drop constraint rule_response_rule_id_fkey;
alter table rule_response drop constraint rule_response_connector_id_fkey;
alter table rule_response
  add column conditions text,
  add column position integer not null default 0,
  add column revision integer not null default 1,
  add column updated_by text not null default '',
  add column rule_name text not null default '';
create table rule_response_outcome (
  tenant_id uuid not null,
  rule_id uuid not null,
  -- No reference: it would lock the response for every case, in another order than whoever deletes it locks the audit chain.
  response_name text not null,
  case_id uuid not null references case_record on delete cascade,
  at timestamptz not null,
  outcome text not null check (outcome in ('started', 'skipped', 'failed')),
  run_id uuid,
  problem text,
  primary key (tenant_id, rule_id, response_name, case_id),
  check ((outcome = 'started') = (run_id is not null))
);
create index rule_response_outcome_newest on rule_response_outcome (tenant_id, rule_id, response_name, at desc);
create index rule_response_outcome_of_case on rule_response_outcome (case_id);
-- The owner of the tables may be no superuser, and would see no row while row-level security is forced on it.
alter table rule_response no force row level security;
alter table policy no force row level security;
alter table case_record no force row level security;
alter table case_response no force row level security;
update rule_response r set
  updated_by = r.created_by,
  rule_name = coalesce((select p.rule ->> 'name' from policy p where p.id = r.rule_id), ''),
  position = (select count(*) from rule_response o
    where o.tenant_id = r.tenant_id and o.rule_id = r.rule_id and o.response_name < r.response_name);
insert into rule_response_outcome
  select distinct on (s.tenant_id, c.policy_id, s.response_name, s.case_id)
    s.tenant_id, c.policy_id, s.response_name, s.case_id, s.started_at, 'started', s.run_id, null
  from case_response s
  join case_record c on c.id = s.case_id
  join rule_response r on r.tenant_id = s.tenant_id and r.rule_id = c.policy_id and r.response_name = s.response_name
  order by s.tenant_id, c.policy_id, s.response_name, s.case_id, s.started_at;
alter table case_response force row level security;
alter table case_record force row level security;
alter table policy force row level security;
alter table rule_response force row level security;
`);
      sql(tenantTable('rule_response_outcome'));
    },
  },
  {
    id: '0155-response-triggers',
    up(sql) {
      sql(`alter table rule_response add column trigger text not null default 'case_opened' check (trigger in
        ('case_opened', 'respond_warning', 'respond_breach', 'resolve_warning', 'resolve_breach'))`);
    },
  },
];

/** After the tables of automation rules, which stop the same way. */
export const automationStopMigrations: readonly Migration[] = [
  {
    id: '0183-automation-stops',
    up(sql) {
      sql(`
alter table rule_response_outcome drop constraint rule_response_outcome_outcome_check;
alter table rule_response_outcome add constraint rule_response_outcome_outcome_check
  check (outcome in ('started', 'skipped', 'failed', 'stopped'));
alter table automation_rule_alert drop constraint automation_rule_alert_outcome_check;
alter table automation_rule_alert add constraint automation_rule_alert_outcome_check
  check (outcome in ('started', 'skipped', 'failed', 'stopped'));
-- What the brake counts, and what it stopped; of those that only did not hold there may be any number.
create index rule_response_outcome_started on rule_response_outcome (tenant_id, rule_id, at, case_id)
  where outcome = 'started';
create index rule_response_outcome_stopped on rule_response_outcome (tenant_id, rule_id, at) where outcome = 'stopped';
create index automation_rule_alert_started on automation_rule_alert (tenant_id, rule_id, at, alert_id)
  where outcome = 'started';
create index automation_rule_alert_stopped on automation_rule_alert (tenant_id, rule_id, at) where outcome = 'stopped';
`);
    },
  },
];
