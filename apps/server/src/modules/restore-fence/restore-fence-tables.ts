/** One row at most: written by a restore, closed when the fence is lifted. */
export type RestoreFenceTable = {
  id: boolean;
  state: 'restoring' | 'up' | 'lifted';
  backup_taken_at: Date;
  restored_at: Date | null;
  lifted_at: Date | null;
};

export type RestoreFenceTables = { restore_fence: RestoreFenceTable };
