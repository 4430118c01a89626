import type { Migration } from '../../storage/migrations.ts';
import { tenantTable } from '../../storage/tenant-table.ts';

export const keyedAnswersMigrations: readonly Migration[] = [
  {
    id: '0196-keyed-answers',
    up(sql) {
      sql(`
create table keyed_answer (
  id uuid primary key,
  tenant_id uuid not null references tenant (id),
  request_hash text not null,
  answer jsonb not null,
  at timestamptz not null
);
create index keyed_answer_by_time on keyed_answer (at);
`);
      sql(tenantTable('keyed_answer', { appMay: ['select', 'insert'], systemMay: ['select', 'insert', 'delete'] }));
    },
  },
];
