import type { BurnSeverity, ObjectiveId } from '@airdeck/contracts/operations/objectives';
import type { ProcessReport } from '@airdeck/contracts/operations/schema';
import type { ColumnType, Generated } from 'kysely';

/** What a process says of itself that is not who it is. */
export type ProcessFigures = Pick<
  ProcessReport,
  'memory_bytes' | 'cpu_percent' | 'loop_delay_ms' | 'held_bytes' | 'spool_bytes' | 'lines_lost' | 'working'
>;

/** One row per process that runs, or ended without saying so. */
export type ProcessReportTable = {
  id: string;
  role: ProcessReport['role'];
  host: string;
  release: string;
  node: string;
  started_at: Date;
  seen_at: Date;
  figures: ColumnType<ProcessFigures, string, string>;
};

/** What was counted for one promise in one minute, by all processes together. */
export type ObjectiveMinuteTable = { objective: ObjectiveId; minute: Date; good: number; bad: number };

/** A promise that is being broken and was told; gone when it is kept again. */
export type ObjectiveAlertTable = { objective: ObjectiveId; severity: BurnSeverity; since: Date };

/** One row at most: work that stands still, and was told; gone when it is taken up again. */
export type StalledWorkTable = { id: Generated<boolean>; since: Date };

export type OperationsTables = {
  process_report: ProcessReportTable;
  objective_minute: ObjectiveMinuteTable;
  objective_alert: ObjectiveAlertTable;
  stalled_work: StalledWorkTable;
};
