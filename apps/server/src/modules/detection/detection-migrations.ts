import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const detectionMigrations: readonly Migration[] = [
  {
    id: 'detection-0001',
    up(sql) {
      sql(`create table policy_group (
        tenant_id uuid not null,
        policy_id uuid not null references policy on delete cascade,
        group_key text not null,
        suppressed_until timestamptz,
        touched_at timestamptz not null default now(),
        primary key (tenant_id, policy_id, group_key)
      )`);
      sql('create index policy_group_touched on policy_group (touched_at)');
      sql(tenantTable('policy_group', { appMay: [] }));
      sql(`create table policy_match (
        tenant_id uuid not null,
        policy_id uuid not null,
        event_id uuid not null,
        group_key text not null,
        event_time timestamptz not null,
        distinct_value text,
        event jsonb,
        case_id uuid,
        recorded_at timestamptz not null default now(),
        primary key (tenant_id, policy_id, event_id)
      )`);
      sql(`create index policy_match_free on policy_match (tenant_id, policy_id, group_key, event_time)
        where case_id is null`);
      sql('create index policy_match_recorded on policy_match (recorded_at)');
      sql(tenantTable('policy_match', { appMay: [] }));
    },
  },
  {
    id: 'detection-0136-tallies',
    up(sql) {
      // Written once per batch and policy and summed up by the hour: a row that counts would make batches wait for each other.
      sql(`create table policy_tally (
        tenant_id uuid not null,
        policy_id uuid not null references policy on delete cascade,
        day date not null,
        matches integer not null
      )`);
      sql('create index policy_tally_by_policy on policy_tally (policy_id, day)');
      sql('create index policy_tally_by_day on policy_tally (day)');
      sql(tenantTable('policy_tally', { appMay: ['select'] }));
    },
  },
  {
    id: 'detection-0154-steps',
    up(sql) {
      // What was recorded before belongs to policies without a sequence.
      sql('alter table policy_match add column steps integer not null default 1');
    },
  },
  {
    id: 'detection-0190-drops',
    up(sql) {
      sql(`create table policy_drop (
        tenant_id uuid not null,
        policy_id uuid not null references policy on delete cascade,
        day date not null,
        matches integer not null,
        primary key (policy_id, day)
      )`);
      sql(tenantTable('policy_drop', { appMay: ['select'] }));
    },
  },
  {
    id: 'detection-0210-different-values',
    up(sql) {
      sql(`create index policy_match_value on policy_match (tenant_id, policy_id, group_key, distinct_value, event_time)
        where case_id is null and distinct_value is not null`);
    },
  },
  {
    id: 'detection-0211-steps-found',
    up(sql) {
      sql(`create index policy_match_steps on policy_match (tenant_id, policy_id, group_key, steps, event_time)
        where case_id is null`);
    },
  },
];
