import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

/** What people set on connectors, and the work that is done for them. After the tables of event sources. */
export const connectorWorkMigrations: readonly Migration[] = [
  {
    id: '0080-connector-settings',
    up(sql) {
      sql(`alter table connector
        add column events_enabled boolean not null default false,
        add column events_options jsonb not null default '{}',
        add column metrics_enabled boolean not null default false,
        add column metrics_options jsonb not null default '{}',
        add column test_at timestamptz,
        add column test_status text check (test_status in ('success', 'error', 'skipped')),
        add column test_message text,
        add column test_metadata jsonb,
        add column metrics_at timestamptz,
        add column metrics_values jsonb`);
    },
  },
  {
    id: '0081-connector-work',
    up(sql) {
      sql(`create table connector_work (
        tenant_id uuid not null references tenant,
        connector_id uuid not null references connector on delete cascade,
        kind text not null check (kind in ('test', 'events', 'metrics')),
        due_at timestamptz,
        failures integer not null default 0,
        failing_since timestamptz,
        primary key (connector_id, kind)
      )`);
      sql('create index connector_work_due on connector_work (due_at) where due_at is not null');
      sql('create index connector_work_of_tenant on connector_work (tenant_id)');
      sql(tenantTable('connector_work'));
      sql(`create table connector_check (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        connector_id uuid not null references connector on delete cascade,
        kind text not null check (kind in ('test', 'events', 'metrics')),
        done_by text not null check (done_by in ('person', 'schedule')),
        at timestamptz not null,
        status text not null check (status in ('success', 'error', 'skipped')),
        code text,
        message text not null,
        records integer,
        duration_ms integer not null
      )`);
      sql('create index connector_check_of_connector on connector_check (connector_id, kind, at desc)');
      sql('create index connector_check_of_tenant on connector_check (tenant_id)');
      sql(tenantTable('connector_check'));
    },
  },
  {
    id: '0082-connector-events',
    up(sql) {
      // The page in hand is kept with its batch id until it is ingested, so that a repetition writes the very same batch
      // whatever the vendor would answer now. As bytes: vendors' texts hold characters that jsonb refuses.
      sql(`create table connector_cursor (
        tenant_id uuid not null references tenant,
        connector_id uuid not null references connector on delete cascade,
        options_hash text not null,
        revision bigint not null default 0,
        cursor text,
        batch_id uuid,
        page bytea,
        updated_at timestamptz not null,
        primary key (connector_id, options_hash),
        check ((batch_id is null) = (page is null))
      )`);
      sql('create index connector_cursor_of_tenant on connector_cursor (tenant_id)');
      sql(tenantTable('connector_cursor'));
      // A source of its own for every connector that fetches; its token is known to nobody. It outlives the connector,
      // because the counts of what arrived belong to it.
      sql('alter table event_source add column connector_id uuid');
      sql(
        'create unique index event_source_of_connector on event_source (connector_id) where connector_id is not null',
      );
    },
  },
  {
    id: '0083-data-key-renewal',
    up(sql) {
      // The data key before this one, which opens what is not sealed anew yet.
      sql('alter table tenant_data_key add column previous jsonb');
    },
  },
  {
    id: '0173-connector-outages',
    up(sql) {
      sql(`create table connector_outage (
        connector_id uuid primary key references connector on delete cascade,
        tenant_id uuid not null references tenant,
        since timestamptz not null,
        told_at timestamptz not null
      )`);
      sql('create index connector_outage_of_tenant on connector_outage (tenant_id)');
      sql(tenantTable('connector_outage', { appMay: [] }));
    },
  },
  {
    id: '0195-connector-told',
    up(sql) {
      // Which sentence a message is, so that it can be told in the reader's language.
      sql('alter table connector add column test_told jsonb');
      sql('alter table connector_check add column told jsonb');
    },
  },
  {
    id: '0202-cursor-selection',
    up: (sql) => sql('alter table connector_cursor add column selection text, add column caught_up_at timestamptz'),
  },
  {
    id: '0214-default-moved',
    up: (sql) => sql('alter table connector add column default_moved_at timestamptz'),
  },
];
