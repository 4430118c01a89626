import type { ReportCut, ReportFormat, ReportPeriod, ReportStatus } from '@airdeck/contracts/reports/schema';
import type { SearchCriteria } from '@airdeck/contracts/search/schema';
import type { ColumnType } from 'kysely';

type Json<T> = ColumnType<T, string, string>;

export type SearchReportTable = {
  id: string;
  tenant_id: string;
  name: string;
  format: ReportFormat;
  search: Json<SearchCriteria>;
  range_start: Date;
  range_end: Date;
  status: ReportStatus;
  created_at: Date;
  created_by: string;
  schedule_id: string | null;
  /** Which slot of its schedule it was made for; a slot has one report. */
  slot_at: Date | null;
  /** Counts the beginnings: only the newest may write what came of it. */
  attempt: number;
  row_count: number;
  size_bytes: number;
  rows_expected: number | null;
  cut_by: ReportCut | null;
  failure: string | null;
  /** Made of the Idempotency-Key of the request that ordered it, where that carried one. */
  request_id: string | null;
  request_hash: string | null;
  /** Under which its bytes are stored; set with `success` and never before. */
  file_id: string | null;
  updated_at: Date;
  finished_at: Date | null;
  expires_at: Date | null;
};

export type SearchReportScheduleTable = {
  id: string;
  tenant_id: string;
  name: string;
  search: Json<SearchCriteria>;
  format: ReportFormat;
  period: ReportPeriod;
  covers_days: number | null;
  at_minute: number;
  time_zone: string;
  contact_ids: Json<string[]>;
  enabled: boolean;
  /** Of the request that made it, where that carried an Idempotency-Key. */
  request_hash: string | null;
  created_at: Date;
  created_by: string;
  updated_at: Date;
  /** Null while it is switched off. */
  next_slot_at: Date | null;
};

export type ReportsTables = { search_report: SearchReportTable; search_report_schedule: SearchReportScheduleTable };
