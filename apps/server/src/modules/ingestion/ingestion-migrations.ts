import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const ingestionMigrations: readonly Migration[] = [
  {
    id: 'ingestion-0001',
    up(sql) {
      sql(`create table ingest_batch (
        tenant_id uuid not null references tenant,
        source_id uuid not null references event_source on delete cascade,
        id uuid not null,
        status text not null check (status in ('writing', 'done')),
        body_hash bytea not null,
        writer uuid not null,
        accepted integer not null,
        rejected integer not null,
        errors jsonb not null default '[]',
        received_at timestamptz not null,
        taken_at timestamptz not null,
        primary key (source_id, id)
      )`);
      sql('create index ingest_batch_by_age on ingest_batch (received_at)');
      sql('create index ingest_batch_of_tenant on ingest_batch (tenant_id)');
      sql(tenantTable('ingest_batch', { appMay: ['select'] }));
    },
  },
  {
    id: '0185-equal-bodies',
    up(sql) {
      sql('alter table ingest_batch add column stored_as uuid, add column done_at timestamptz');
    },
  },
];
