import type { Migration } from '../../storage/migrations.ts';
import { systemTable } from '../../storage/tenant-table.ts';

/** Names the migration a restore needs before any other newer one. */
export const RESTORE_FENCE_MIGRATION = '0182-restore-fence';

export const restoreFenceMigrations: readonly Migration[] = [
  {
    id: RESTORE_FENCE_MIGRATION,
    up(sql) {
      sql(`create table restore_fence (
        id boolean primary key default true check (id),
        state text not null check (state in ('restoring', 'up', 'lifted')),
        backup_taken_at timestamptz not null,
        restored_at timestamptz,
        lifted_at timestamptz
      )`);
      sql(systemTable('restore_fence'));
    },
  },
];
