import type { ExecutiveReportKind } from '@airdeck/contracts/reports/executive-report';
import type { ReportStatus } from '@airdeck/contracts/reports/schema';
import type { Locale } from '@airdeck/domain/display-time';
import type { ColumnType } from 'kysely';
import type { ExecutiveFacts } from './executive-facts.ts';

type Json<T> = ColumnType<T, string, string>;

export type ExecutiveReportTable = {
  id: string;
  tenant_id: string;
  kind: ExecutiveReportKind;
  month: string;
  name: string;
  locale: Locale;
  time_zone: string;
  range_start: Date;
  range_end: Date;
  status: ReportStatus;
  /** Counts the beginnings: only the newest may write what came of it. */
  attempt: number;
  created_at: Date;
  created_by: string;
  /** Who is told when it is there; null for the schedule's. */
  asked_by: string | null;
  updated_at: Date;
  finished_at: Date | null;
  failure: string | null;
  /** Under which its bytes are stored; set with `success` and never before. */
  file_id: string | null;
  size_bytes: number;
  pages: number;
  /** What it says, with `success`. */
  facts: ColumnType<ExecutiveFacts | null, string | null, string | null>;
  expires_at: Date | null;
};

/** A tenant without a row has all the defaults. */
export type ExecutiveReportSettingsTable = {
  tenant_id: string;
  enabled: boolean;
  locale: Locale | null;
  time_zone: string | null;
  contact_ids: Json<string[]>;
  user_ids: Json<string[]>;
  /** The last month the schedule has asked for, also when its file was deleted since. */
  last_month: string | null;
  /** Null until a person first saves them. */
  updated_at: Date | null;
};

export type ExecutiveReportsTables = {
  executive_report: ExecutiveReportTable;
  executive_report_settings: ExecutiveReportSettingsTable;
};
