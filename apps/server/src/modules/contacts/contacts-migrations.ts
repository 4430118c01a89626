import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const contactsMigrations: readonly Migration[] = [
  {
    id: '0048-contacts',
    up(sql) {
      // The places are checked at the commit, because moving them up or down passes through equal ones.
      sql(`
create table contact (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  name text not null check (length(name) between 1 and 200),
  email text not null,
  phone text not null,
  job_title text not null,
  kind text not null check (kind in ('primary', 'technical', 'billing', 'escalation')),
  escalation_order integer check (escalation_order > 0),
  notify jsonb not null,
  notes text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (tenant_id, escalation_order) deferrable initially deferred
);
create index contact_of_tenant on contact (tenant_id, name);
`);
      sql(tenantTable('contact'));
    },
  },
  {
    id: 'contacts-0193-request-hash',
    up: (sql) => sql('alter table contact add column request_hash text'),
  },
];
