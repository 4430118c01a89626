import type { ReportedError } from '@airdeck/contracts/telemetry/schema';
import type { ColumnType } from 'kysely';

/** Views of one route on one day (UTC) by one person. */
export type PageViewTable = {
  tenant_id: string;
  day: ColumnType<string, string, never>;
  user_id: string;
  route: string;
  views: number;
};

/** One error of the dashboard, however often it happened. */
export type DashboardErrorTable = {
  tenant_id: string;
  fingerprint: string;
  level: ReportedError['level'];
  message: string;
  route: string;
  call: string | null;
  status: number | null;
  request_id: string | null;
  release: string;
  count: number;
  first_at: Date;
  last_at: Date;
};

export type TelemetryTables = { page_view: PageViewTable; dashboard_error: DashboardErrorTable };
