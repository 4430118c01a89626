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
