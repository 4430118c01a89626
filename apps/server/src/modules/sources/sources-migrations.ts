import type { Migration } from '../../storage/migrations.ts';
import { systemTable, tenantTable } from '../../storage/tenant-table.ts';

export const sourcesMigrations: readonly Migration[] = [
  {
    id: 'sources-0001',
    up(sql) {
      sql(`create table event_source (
        id uuid primary key,
        tenant_id uuid not null references tenant,
        name text not null,
        kind text not null check (kind in ('webhook', 'gelf', 'syslog', 'ndjson')),
        token_hash bytea not null unique,
        token_hint text not null,
        syslog_default boolean not null default false,
        sender_addresses text[] not null default '{}',
        created_at timestamptz not null
      )`);
      sql('create index event_source_of_tenant on event_source (tenant_id, created_at)');
      sql('create unique index event_source_syslog_default on event_source (syslog_default) where syslog_default');
      sql('create index event_source_by_sender on event_source using gin (sender_addresses)');
      sql(tenantTable('event_source'));
      sql(`create table source_event_hour (
        tenant_id uuid not null references tenant,
        source_id uuid not null references event_source on delete cascade,
        hour timestamptz not null,
        events bigint not null,
        bytes bigint not null,
        primary key (tenant_id, hour, source_id)
      )`);
      sql('create index source_event_hour_of_source on source_event_hour (source_id)');
      sql(tenantTable('source_event_hour', { appMay: ['select'] }));
      sql(`create table source_arrival_hour (
        tenant_id uuid not null references tenant,
        source_id uuid not null references event_source on delete cascade,
        hour timestamptz not null,
        events bigint not null,
        last_event_at timestamptz not null,
        primary key (source_id, hour)
      )`);
      sql('create index source_arrival_hour_of_tenant on source_arrival_hour (tenant_id)');
      sql(tenantTable('source_arrival_hour', { appMay: ['select'] }));
    },
  },
  {
    id: '0130-source-upkeep',
    up(sql) {
      sql('alter table event_source drop constraint event_source_kind_check');
      sql(`alter table event_source add constraint event_source_kind_check
        check (kind in ('webhook', 'gelf', 'syslog', 'ndjson', 'graylog', 'cloudevents'))`);
      // The row stays, as its volume belongs to the tenant's history.
      sql('alter table event_source add column deleted_at timestamptz');
      sql('alter table source_arrival_hour add column rejected bigint not null default 0');
      sql(`create table syslog_loss_hour (
        hour timestamptz primary key,
        lines bigint not null
      )`);
      sql(systemTable('syslog_loss_hour'));
    },
  },
  {
    id: '0152-source-clocks',
    up(sql) {
      sql(`alter table source_arrival_hour
        add column ahead bigint not null default 0, add column ahead_ms bigint not null default 0,
        add column behind bigint not null default 0, add column behind_ms bigint not null default 0,
        add column unbelievable bigint not null default 0`);
    },
  },
  {
    id: '0174-source-silences',
    up(sql) {
      sql(`create table source_silence (
        source_id uuid primary key references event_source on delete cascade,
        tenant_id uuid not null references tenant,
        last_event_at timestamptz not null,
        told boolean not null,
        noted_at timestamptz not null
      )`);
      sql('create index source_silence_of_tenant on source_silence (tenant_id)');
      sql(tenantTable('source_silence', { appMay: [] }));
      // One row: since when, without a gap, somebody has looked.
      sql(`create table source_watch (
        single boolean primary key default true check (single),
        since timestamptz not null,
        looked_at timestamptz not null
      )`);
      sql(systemTable('source_watch'));
    },
  },
  {
    id: 'sources-0194-request-hash',
    up: (sql) => sql('alter table event_source add column request_hash text'),
  },
  {
    id: '0218-source-repeats',
    up: (sql) => sql('alter table source_arrival_hour add column repeated bigint not null default 0'),
  },
];
