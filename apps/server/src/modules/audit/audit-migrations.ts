import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

/**
 * Append-only three times: no right to change or delete, a trigger that refuses both to everyone including the owner,
 * and the hash chain, which shows what was done with the trigger switched off.
 */
export const auditMigrations: readonly Migration[] = [
  {
    id: '0010-audit',
    up(sql) {
      sql(`
create table audit_record (
  tenant_id uuid not null,
  sequence bigint not null check (sequence > 0),
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('user', 'api_key', 'system', 'source')),
  actor_id text,
  actor_name text not null,
  action text not null,
  target_kind text not null,
  target_id text,
  outcome text not null check (outcome in ('ok', 'refused')),
  code text,
  data jsonb not null,
  request_id text,
  previous_hash text not null,
  hash text not null,
  primary key (tenant_id, sequence)
);
create table audit_chain (
  tenant_id uuid primary key,
  sequence bigint not null,
  hash text not null
);
create function audit_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit records cannot be changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_record_append_only before update or delete on audit_record
  for each row execute function audit_refuse_change();
create trigger audit_record_no_truncate before truncate on audit_record
  for each statement execute function audit_refuse_change();
create trigger audit_chain_kept before delete on audit_chain
  for each row execute function audit_refuse_change();
`);
      sql(tenantTable('audit_record', { appMay: ['select', 'insert'], systemMay: ['select', 'insert'] }));
      sql(
        tenantTable('audit_chain', {
          appMay: ['select', 'insert', 'update'],
          systemMay: ['select', 'insert', 'update'],
        }),
      );
    },
  },
  {
    // For the filters of the audit screen. What each costs a write is why there is none for every column.
    id: '0047-audit-indexes',
    up(sql) {
      sql(`
create index audit_record_by_action on audit_record (tenant_id, action collate "C", sequence);
create index audit_record_by_target on audit_record (tenant_id, target_id, sequence) where target_id is not null;
create index audit_record_by_time on audit_record (tenant_id, at);
create index audit_record_refused on audit_record (tenant_id, sequence) where outcome = 'refused';
`);
    },
  },
  {
    // Statistics are kept in the collation of the column, and used only by comparisons in the same one: without this the
    // planner guesses how many records a prefix has, and walks the whole chain for a rare one.
    id: '0071-audit-action-collation',
    up(sql) {
      sql('alter table audit_record alter column action type text collate "C";');
    },
  },
];
