import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const automationRulesMigrations: readonly Migration[] = [
  {
    id: '0160-automation-rules',
    up(sql) {
      sql(`create table automation_rule (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        name text not null,
        -- No reference: a rule outlives its connector, to say that it is gone.
        connector_id uuid not null,
        definition_id text not null,
        definition_title text not null,
        responses jsonb not null,
        enabled boolean not null,
        source_id uuid references event_source,
        notification_id text,
        notification_state text not null
          check (notification_state in ('working', 'attached', 'missing', 'changed', 'failed')),
        notification_reason text,
        checked_at timestamptz,
        deleting boolean not null default false,
        rewrite boolean not null default false,
        work_version integer not null default 1,
        created_by text not null,
        updated_by text not null,
        owner_user_id uuid not null references app_user,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        revision integer not null default 1,
        last_triggered_at timestamptz,
        triggered_count integer not null default 0,
        request_hash text
      )`);
      sql('create index automation_rule_of_tenant on automation_rule (tenant_id, lower(name), id)');
      sql('create index automation_rule_by_definition on automation_rule (source_id, definition_id)');
      sql('create index automation_rule_by_connector on automation_rule (tenant_id, connector_id)');
      sql('create index automation_rule_owner on automation_rule (owner_user_id)');
      sql(tenantTable('automation_rule'));
      sql(`create table automation_rule_alert (
        tenant_id uuid not null references tenant,
        rule_id uuid not null references automation_rule on delete cascade,
        alert_id text not null,
        response_name text not null,
        response_type text not null check (response_type in ('action', 'playbook')),
        alert_title text not null,
        at timestamptz not null,
        outcome text not null check (outcome in ('started', 'skipped', 'failed')),
        run_id uuid,
        problem text,
        primary key (rule_id, alert_id, response_name),
        check ((outcome = 'started') = (run_id is not null))
      )`);
      sql('create index automation_rule_alert_newest on automation_rule_alert (tenant_id, rule_id, at desc)');
      sql('create index automation_rule_alert_oldest on automation_rule_alert (at)');
      sql(tenantTable('automation_rule_alert'));
      sql(`create table automation_alert_source (
        tenant_id uuid not null references tenant,
        connector_id uuid not null,
        source_id uuid not null references event_source on delete cascade,
        token_version integer not null,
        primary key (tenant_id, connector_id)
      )`);
      sql('create index automation_alert_source_of_source on automation_alert_source (source_id)');
      sql(tenantTable('automation_alert_source'));
    },
  },
];
